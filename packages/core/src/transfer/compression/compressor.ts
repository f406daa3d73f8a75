import type { ChunkEncoding } from "@warren/protocol";
import type { Bytes } from "../../ports/file-storage.ts";
import { deflate } from "./deflate.ts";
import type { Zstd } from "./zstd.ts";

/** A chunk ready to be sent. */
export interface PackedChunk {
  readonly bytes: Bytes;
  readonly encoding: ChunkEncoding;
}

/** Compresses the chunks of files. */
export interface Compressor {
  /** How many chunks it compresses concurrently. */
  readonly threads: number;
  /**
   * Compresses bytes without modifying them.
   * @param zstdLevel the level for zstd if it is available; null to use deflate in any case.
   */
  compress(bytes: Bytes, zstdLevel: number | null): Promise<PackedChunk>;
}

/** Deflates in the calling thread, for which loading zstd is not worth it. */
export const ownThreadCompressor: Compressor = {
  threads: 1,
  compress: async (bytes) => ({ bytes: await deflate(bytes), encoding: "deflate" }),
};

/** Compresses in the calling thread, with zstd if requested and available. */
export function zstdCompressor(zstd: Pick<Zstd, "compress">): Compressor {
  return {
    threads: 1,
    compress: async (bytes, zstdLevel) => {
      const frame = zstdLevel === null ? null : await zstd.compress(bytes, zstdLevel);
      return frame ? { bytes: frame, encoding: "zstd" } : ownThreadCompressor.compress(bytes, null);
    },
  };
}
