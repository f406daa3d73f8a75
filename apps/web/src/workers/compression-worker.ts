import { type Bytes, ownThreadCompressor, type PackedChunk, Zstd } from "@warren/core";
import { decodeValue } from "@warren/protocol";
import { compressionRequestSchema } from "./compression-messages.ts";
import { loadZstd } from "./load-zstd.ts";

declare const self: DedicatedWorkerGlobalScope;

const zstd = new Zstd(loadZstd);

self.addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
  const decoded = decodeValue(compressionRequestSchema, data);
  if (!decoded.ok) return;
  const { id, bytes, zstdLevel } = decoded.value;
  const packed = await compress(bytes, zstdLevel).catch(() => null);
  self.postMessage({ id, packed }, packed ? [packed.bytes.buffer] : []);
});

async function compress(bytes: Bytes, zstdLevel: number | null): Promise<PackedChunk> {
  const frame = zstdLevel === null ? null : await zstd.compress(bytes, zstdLevel);
  return frame ? { bytes: frame, encoding: "zstd" } : ownThreadCompressor.compress(bytes, null);
}
