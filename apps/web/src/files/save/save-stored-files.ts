import { type OpenTree, openTree, type Warren, zipTree } from "@warren/core";
import { type FileDescription, type FileId, safeFileName, WarrenError } from "@warren/protocol";
import { translate } from "../../i18n/i18n.ts";
import type { SaveLocation } from "../../tab/pending-saves.ts";
import type { Platform } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { treeName } from "../tree/tree-name.ts";
import { saveFiles, treeOf } from "./save-file.ts";
import { saveToFolder } from "./save-to-folder.ts";

/** Saves files of this browser at a location, with the downloads unless it is given, and reports the missing ones. */
export async function saveStoredFiles(
  library: Warren["files"],
  platform: Platform,
  files: readonly FileDescription[],
  location?: SaveLocation,
): Promise<void> {
  if (location !== undefined && location.kind !== "downloads") {
    for (const description of files) {
      const title = translate("folders.saveFailed", { name: description.fileName });
      await withErrorToast(() => saveAtLocation(library, description, location), title);
    }
    return;
  }
  const opened = new Map<File, FileId>();
  for (const description of files) {
    const { fid, fileName } = description;
    const title = translate("file.notHere", { file: fileName });
    await withErrorToast(async () => {
      const file = await library.open(fid);
      if (file === null) throw new WarrenError("cache-not-found", { id: fid });
      opened.set(description.tree ? await zipFileOfStream(library, file, description) : file, fid);
    }, title);
  }
  const markFileSaved = async (file: File, savedAs: string | null): Promise<void> => {
    const fid = opened.get(file);
    if (fid !== undefined) await library.markSaved(fid, savedAs);
  };
  if (opened.size > 0) await withErrorToast(() => saveFiles([...opened.keys()], platform, markFileSaved));
}

/** Writes a file to the location that was chosen for it: a folder as a folder. */
async function saveAtLocation(
  library: Warren["files"],
  description: FileDescription,
  location: Exclude<SaveLocation, { readonly kind: "downloads" }>,
): Promise<void> {
  const { fid, fileName, tree } = description;
  const stream = await library.open(fid);
  if (stream === null) throw new WarrenError("cache-not-found", { id: fid });
  if (location.kind === "file") {
    await location.file.write(stream);
    const { name } = location.file;
    await library.markSaved(fid, name === fileName ? null : name);
    return;
  }
  const opened = tree ? await openTree(stream, description, library.readManifest) : treeOf([stream]);
  const folder = tree?.kind === "folder" ? safeFileName(fileName) : null;
  const refused = await saveToFolder(opened, location.folder, { folder });
  await library.markSaved(fid, null);
  if (refused > 0) toast.warning(translate("folders.notAllowed", { count: refused }));
}

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
async function zipFileOfStream(
  { readManifest }: Warren["files"],
  stream: File,
  description: FileDescription,
): Promise<File> {
  const tree = await openTree(stream, description, readManifest);
  return zipFileOf(tree, description, treeName(description, translate));
}
