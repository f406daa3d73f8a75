import type { ChunkEncoding } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";
import { deflate } from "./deflate.ts";
import type { Zstd } from "./zstd.ts";

/** A chunk ready to travel. */
export interface PackedChunk {
  readonly bytes: Bytes;
  readonly encoding: ChunkEncoding;
}

/** Who compresses the chunks of files. */
export interface Compressor {
  /** How many chunks it compresses at once. */
  readonly threads: number;
  /**
   * Compresses some bytes, which are left as they are.
   * @param zstdLevel the level for zstd, which is only used where it is at hand; null means deflate in any case.
   */
  compress(bytes: Bytes, zstdLevel: number | null): Promise<PackedChunk>;
}

/** Deflates in the thread that asks, which is not worth loading zstd for. */
export const ownThreadCompressor: Compressor = {
  threads: 1,
  compress: async (bytes) => ({ bytes: await deflate(bytes), encoding: "deflate" }),
};

/** Compresses in the thread that asks, with zstd where it is asked to and can. */
export function zstdCompressor(zstd: Pick<Zstd, "compress">): Compressor {
  return {
    threads: 1,
    compress: async (bytes, zstdLevel) => {
      const frame = zstdLevel === null ? null : await zstd.compress(bytes, zstdLevel);
      return frame ? { bytes: frame, encoding: "zstd" } : ownThreadCompressor.compress(bytes, null);
    },
  };
}
