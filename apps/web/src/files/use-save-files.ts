import { type OpenTree, openTree, type Warren, zipTree } from "@warren/core";
import { type FileDescription, type FileId, safeFileName, WarrenError } from "@warren/protocol";
import { useCallback } from "react";
import { useT } from "../i18n/use-t.ts";
import { useDevice } from "../ui/device-context.tsx";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";
import { saveFiles } from "./save-file.ts";

/** Saves files of this browser, folders as zips, and reports the missing ones. */
export function useSaveFiles(): (files: readonly FileDescription[]) => Promise<void> {
  const t = useT();
  const run = useRun();
  const { files: library } = useWarren();
  const device = useDevice();
  return useCallback(
    async (wanted) => {
      const opened = new Map<File, FileId>();
      for (const description of wanted) {
        const { fid, fileName } = description;
        const title = t("file.notHere", { file: fileName });
        await run(async () => {
          const file = await library.open(fid);
          if (file === null) throw new WarrenError("cache-not-found", { id: fid });
          opened.set(description.tree ? await zipFileOfStream(library, file, description) : file, fid);
        }, title);
      }
      const noteSaved = async (file: File, savedAs: string | null): Promise<void> => {
        const fid = opened.get(file);
        if (fid !== undefined) await library.noteSaved(fid, savedAs);
      };
      if (opened.size > 0) await run(() => saveFiles([...opened.keys()], device, noteSaved));
    },
    [t, run, library, device],
  );
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
  return zipFileOf(tree, description, description.fileName);
}
