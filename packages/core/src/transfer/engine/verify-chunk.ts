import { chunkDigestOf, digestOf, sameDigest } from "../../files/digests/digests.ts";
import type { Bytes } from "../../ports/file-storage.ts";
import { inflate } from "../compression/deflate.ts";
import type { Zstd } from "../compression/zstd.ts";
import type { AssembledChunk } from "./block-assembler.ts";

/** A chunk that equals the sender's. */
export interface VerifiedChunk {
  readonly bytes: Bytes;
  readonly digest: Bytes;
}

/**
 * Decompresses a received chunk, within its exact length, and compares it with its chunk digest.
 * @param zstd decompresses zstd; without it, a zstd chunk was not requested and is wrong.
 * @returns null if it differs from the sender's chunk.
 */
export async function verifyChunk(
  { chunk, bytes, encoding, digest: chunkDigest }: AssembledChunk,
  lengthBytes: number,
  zstd: Zstd | undefined,
): Promise<VerifiedChunk | null> {
  const original = await unpack();
  if (!original) return null;
  const digest = await digestOf(original);
  if (chunkDigest && !sameDigest(chunkDigest, chunkDigestOf(chunk, digest))) return null;
  return { bytes: original, digest };

  async function unpack(): Promise<Bytes | null> {
    if (encoding === "plain") return bytes;
    if (encoding === "deflate") return inflate(bytes, lengthBytes);
    return (await zstd?.decompress(bytes, lengthBytes)) ?? null;
  }
}
