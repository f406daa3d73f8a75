import { WarrenError } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

/**
 * Deflate grows bytes at most 1,032 times, so a slice makes about 4 MiB before the length is looked at again. With 1 KiB
 * the platform takes half as long again; larger ones save little.
 */
const sliceBytes = 4_096;
/** The library keeps what one slice makes several times over. */
const librarySliceBytes = 1_024;

/**
 * Inflates raw deflate whose length is known; where the platform can not, a library does.
 * @param lengthBytes the exact length the result must have; inflating stops as soon as it is exceeded.
 * @throws WarrenError `block-invalid` when the length differs or the data is not deflate,
 * `unzip-worker-not-initialized` where the library can not be loaded.
 */
export async function inflate(deflated: Bytes, lengthBytes: number): Promise<Bytes> {
  const inflated = new Uint8Array(lengthBytes);
  let offset = 0;
  const take = (piece: Uint8Array) => {
    if (offset + piece.byteLength > lengthBytes) throw invalid("inflates to more than its length");
    inflated.set(piece, offset);
    offset += piece.byteLength;
  };
  const stream = openStream();
  const inflateSlices = stream ? null : await loadInflateSlices();
  try {
    if (stream) await readAll(stream, deflated, take);
    else inflateSlices?.(deflated, librarySliceBytes, take);
  } catch (thrown) {
    throw thrown instanceof WarrenError ? thrown : invalid("not deflate", thrown);
  }
  if (offset !== lengthBytes) throw invalid("inflates to less than its length");
  return inflated;
}

async function readAll(
  stream: DecompressionStream,
  deflated: Bytes,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  feed(stream.writable.getWriter(), deflated);
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      take(value);
    }
  } catch (thrown) {
    reader.cancel().catch(() => {});
    throw thrown;
  }
}

/**
 * Queues all slices at once: the stream takes one only when a read waits for it, so the queue is only views. Failures
 * come out of the reading side.
 */
function feed(writer: WritableStreamDefaultWriter<BufferSource>, deflated: Bytes): void {
  const ignore = () => {};
  writer.closed.catch(ignore);
  for (let start = 0; start < deflated.byteLength; start += sliceBytes)
    writer.write(deflated.subarray(start, start + sliceBytes)).catch(ignore);
  writer.close().catch(ignore);
}

function openStream(): DecompressionStream | null {
  try {
    return new DecompressionStream("deflate-raw");
  } catch {
    return null; // the platform knows no streams, or not this format
  }
}

async function loadInflateSlices() {
  try {
    return (await import("./inflate-slices.ts")).inflateSlices;
  } catch (cause) {
    throw new WarrenError("unzip-worker-not-initialized", {}, { cause });
  }
}

function invalid(issue: string, cause?: unknown): WarrenError {
  return new WarrenError("block-invalid", { issue }, { cause });
}

/** As {@link inflate}; null where the bytes are no deflated chunk of this length. */
export async function inflateOrNull(bytes: Bytes, length: number): Promise<Bytes | null> {
  try {
    return await inflate(bytes, length);
  } catch (thrown) {
    if (thrown instanceof WarrenError && thrown.code === "block-invalid") return null;
    throw thrown;
  }
}
