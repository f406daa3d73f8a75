import type { Bytes } from "../../ports/file-storage.ts";
import { holdUntil } from "../../shared/hold.ts";

/**
 * Deflate expands data at most 1,032 times, so a slice yields about 4 MiB before the length is checked again. With 1
 * KiB slices the platform takes half as long again; larger ones save little.
 */
const sliceBytes = 4_096;

/** Raw deflate at the platform's own level: CompressionStream has no level option. */
export async function deflate(bytes: Bytes): Promise<Bytes> {
  const stream = new CompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const reader = stream.readable.getReader();
  const deflated = await holdUntil(readAll(reader), reader);
  await written;
  return deflated;
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.byteLength;
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    all.set(piece, offset);
    offset += piece.byteLength;
  }
  return all;
}

/**
 * Inflates raw deflate of a known length, and stops as soon as it is exceeded.
 * @returns null if the bytes are not raw deflate of exactly this length.
 */
export async function inflate(deflated: Bytes, lengthBytes: number): Promise<Bytes | null> {
  const stream = new DecompressionStream("deflate-raw");
  feed(stream.writable.getWriter(), deflated);
  const reader = stream.readable.getReader();
  return holdUntil(readExactly(lengthBytes, reader), reader);
}

async function readExactly(
  lengthBytes: number,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Bytes | null> {
  const inflated = new Uint8Array(lengthBytes);
  let offset = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return offset === lengthBytes ? inflated : null;
      if (offset + value.byteLength > lengthBytes) break;
      inflated.set(value, offset);
      offset += value.byteLength;
    }
  } catch {
    // Not raw deflate, or cut off.
  }
  reader.cancel().catch(() => {});
  return null;
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
