import { Zstd, zstdCompressor } from "@warren/core";
import type { CompressionAnswer, CompressionRequest } from "./compression-threads.ts";
import { loadZstd } from "./load-zstd.ts";

declare const self: DedicatedWorkerGlobalScope;

const compressor = zstdCompressor(new Zstd(loadZstd));

self.addEventListener("message", async ({ data }: MessageEvent<CompressionRequest>) => {
  const { id, bytes, zstdLevel } = data;
  const packed = await compressor.compress(bytes, zstdLevel).catch(() => null);
  const answer: CompressionAnswer = { id, packed };
  self.postMessage(answer, packed ? [packed.bytes.buffer] : []);
});
