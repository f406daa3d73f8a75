import { digestOf, sameDigest } from "../files/digests.ts";
import { sealOf } from "../files/seals.ts";
import type { Bytes } from "../ports/file-storage.ts";
import type { AssembledChunk } from "./block-assembler.ts";
import { inflateOrNull } from "./inflate.ts";
import type { Zstd } from "./zstd.ts";

/** A chunk as its sender has it. */
export interface VerifiedChunk {
  readonly bytes: Bytes;
  readonly digest: Bytes;
}

/**
 * Unpacks a chunk that came, within the length it must have, and compares it with its seal.
 * @param zstd what unpacks zstd; a chunk that came so without having been asked for is wrong.
 * @returns null when it is not the chunk that its sender has.
 */
export async function verifyChunk(
  { chunk, bytes, encoding, digest: seal }: AssembledChunk,
  lengthBytes: number,
  zstd: Zstd | undefined,
): Promise<VerifiedChunk | null> {
  const original = await unpack();
  if (!original) return null;
  const digest = await digestOf(original);
  if (seal && !sameDigest(seal, sealOf(chunk, digest))) return null;
  return { bytes: original, digest };

  async function unpack(): Promise<Bytes | null> {
    if (encoding === "plain") return bytes;
    if (encoding === "deflate") return inflateOrNull(bytes, lengthBytes);
    return (await zstd?.decompress(bytes, lengthBytes)) ?? null;
  }
}
