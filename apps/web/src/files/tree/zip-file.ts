import { type OpenTree, openTree, zipTree } from "@warren/core";
import { type FileDescription, safeFileName } from "@warren/protocol";

/** A zip of a tree for saving: a folder as that folder, loose files without one. */
export async function zipFileOf(
  tree: OpenTree,
  description: FileDescription,
  name: string,
  onProgress?: (doneFiles: number) => void,
): Promise<File> {
  const folder = description.tree?.kind === "folder" ? safeFileName(description.fileName) : null;
  const zip = await zipTree(tree, { folder, ...(onProgress && { onProgress }) });
  return new File([zip], `${name}.zip`);
}

/** A zip of a tree stored as one stream, named after it. */
export async function zipFileOfStream(stream: File, description: FileDescription): Promise<File> {
  return zipFileOf(await openTree(stream, description), description, description.fileName);
}
