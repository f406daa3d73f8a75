import { chunkCountOf, type FileDescription } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";
import { rootOf } from "./chunk-digests.ts";
import { digestOf } from "./digests.ts";
import { chunkLengthOf, chunkStartOf } from "./file-layout.ts";
import type { FileSource } from "./file-source.ts";

/**
 * The root of an available file: the verified one, or computed by reading the chunks that were not read yet.
 * @returns null once `isWanted` returns false. Rejects like the source.
 */
export async function rootOfSource(
  description: FileDescription,
  source: FileSource,
  isWanted: () => boolean,
): Promise<string | null> {
  if (source.root !== null) return source.root;
  const leaves: Bytes[] = [];
  const count = chunkCountOf(description.fileSize, description.chunkSize);
  for (let chunk = 0; chunk < count; chunk++) {
    if (!isWanted()) return null;
    const start = chunkStartOf(description, chunk);
    const leaf =
      source.digests.get(chunk) ??
      (await digestOf(await source.read(start, start + chunkLengthOf(description, chunk))));
    source.digests.set(chunk, leaf);
    leaves.push(leaf);
  }
  return rootOf(description, leaves);
}
