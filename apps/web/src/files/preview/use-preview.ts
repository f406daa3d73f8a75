import { type FileDescription, WarrenError } from "@warren/protocol";
import { useCallback } from "react";
import { useT } from "../../i18n/use-t.ts";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { openDialog } from "../../ui/open-dialog.tsx";
import { useRun } from "../../ui/use-run.ts";
import { useWarren } from "../../ui/warren-context.tsx";
import { useForward } from "../forward/use-forward.ts";
import { saveFile } from "../save-file.ts";
import { useSaveFiles } from "../use-save-files.ts";
import { openItem, type PreviewItem, storedItem } from "./preview-item.ts";

const PreviewDialog = componentOnDemand(async () => (await import("./preview-dialog.tsx")).PreviewDialog);

/** Previews a complete file of this browser; the arrow keys page through `among`. */
export type Preview = (file: FileDescription, among?: readonly FileDescription[]) => void;

/** Returns a function that previews a file; the preview can save and forward it. */
export function usePreview(): Preview {
  const showItems = usePreviewOfItems();
  return useCallback((file, among = [file]) => void showItems(among.map(storedItem), file.fid), [showItems]);
}

/**
 * Returns a function that previews files of this browser or entries of trees, starting at the one with a key.
 */
export function usePreviewOfItems(): (items: readonly PreviewItem[], startKey: string) => Promise<void> {
  const t = useT();
  const run = useRun();
  const { files } = useWarren();
  const saveFiles = useSaveFiles();
  const forward = useForward();
  return useCallback(
    async (items, startKey) => {
      const at = items.findIndex(({ key }) => key === startKey);
      const result = await openDialog(PreviewDialog, { items, startIndex: Math.max(0, at) });
      if (result.cancelled) return;
      const { verb, item } = result.value;
      const { file, entry, fileName } = item;
      if (entry === null && verb === "save") {
        await saveFiles([file]);
        return;
      }
      if (entry === null) {
        await forward([{ type: "cache", fid: file.fid, fileName }]);
        return;
      }
      let opened: File | null = null;
      await run(
        async () => {
          opened = await openItem(files, item);
          if (opened === null) throw new WarrenError("cache-not-found", { id: file.fid });
          if (verb === "save") saveFile(opened);
        },
        t("file.notHere", { file: fileName }),
      );
      if (opened !== null && verb === "forward") await forward([{ type: "file", file: opened }]);
    },
    [t, run, files, saveFiles, forward],
  );
}
