import type { Bytes } from "../ports/file-storage.ts";

/** Whether the platform supports raw deflate; without it everything is sent uncompressed. */
export function canDeflate(): boolean {
  try {
    return !!new CompressionStream("deflate-raw");
  } catch {
    return false;
  }
}

/** Raw deflate at the platform's own level: CompressionStream has no level option. */
export async function deflate(bytes: Bytes): Promise<Bytes> {
  const stream = new CompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.byteLength;
  }
  await written;
  const deflated = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    deflated.set(piece, offset);
    offset += piece.byteLength;
  }
  return deflated;
}
