import { Zstd, zstdCompressor } from "@warren/core";
import { decodeValue } from "@warren/protocol";
import { compressionRequestSchema } from "./compression-messages.ts";
import { loadZstd } from "./load-zstd.ts";

declare const self: DedicatedWorkerGlobalScope;

const compressor = zstdCompressor(new Zstd(loadZstd));

self.addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
  const decoded = decodeValue(compressionRequestSchema, data);
  if (!decoded.ok) return;
  const { id, bytes, zstdLevel } = decoded.value;
  const packed = await compressor.compress(bytes, zstdLevel).catch(() => null);
  self.postMessage({ id, packed }, packed ? [packed.bytes.buffer] : []);
});
