import type { TreeFile } from "@warren/protocol/tree";
import type { OpenTree } from "./open-tree.ts";

/** How many files are tried at a time. */
const batchFiles = 64;

/**
 * The first file of a picked tree that can no longer be read, because it was removed or changed on disk; null if none.
 */
export async function findUnreadable({ entries, fileOf }: OpenTree): Promise<TreeFile | null> {
  const files = entries.filter((entry) => entry.kind === "file").filter(({ size }) => size > 0);
  for (let start = 0; start < files.length; start += batchFiles) {
    const tried = await Promise.all(
      files.slice(start, start + batchFiles).map(async (file) => {
        const isReadable = await fileOf(file)
          .slice(0, 1)
          .arrayBuffer()
          .then(
            () => true,
            () => false,
          );
        return isReadable ? null : file;
      }),
    );
    const unreadable = tried.find((file) => file !== null);
    if (unreadable) return unreadable;
  }
  return null;
}
