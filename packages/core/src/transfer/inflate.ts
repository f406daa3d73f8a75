import { WarrenError } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

/**
 * Deflate expands data at most 1,032 times, so a slice yields about 4 MiB before the length is checked again. With 1
 * KiB slices the platform takes half as long again; larger ones save little.
 */
const sliceBytes = 4_096;
/** The library keeps several copies of the output of one slice. */
const librarySliceBytes = 1_024;

/**
 * Inflates raw deflate of a known length; a library does it if the platform cannot.
 * @param lengthBytes the exact length of the result; inflating stops as soon as it is exceeded.
 * @throws WarrenError `block-invalid` when the length differs or the data is not deflate,
 * `unzip-worker-not-initialized` when the library cannot be loaded.
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
 * Queues all slices at once: the stream takes one only when a read waits for it, so the queue holds only views.
 * Failures surface on the reading side.
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
    return null; // the platform lacks streams or this format
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

/** Like {@link inflate}; null if the bytes are not a deflated chunk of this length. */
export async function inflateOrNull(bytes: Bytes, length: number): Promise<Bytes | null> {
  try {
    return await inflate(bytes, length);
  } catch (thrown) {
    if (thrown instanceof WarrenError && thrown.code === "block-invalid") return null;
    throw thrown;
  }
}
