import type { FileDescription } from "@warren/protocol";
import { useCallback } from "react";
import { useSaveFiles } from "../components/use-save-files.ts";
import { componentOnDemand } from "../ui/on-demand.tsx";
import { useForward } from "./forward/use-forward.ts";
import { openDialog } from "./open-dialog.tsx";
import { keptItem, looseItem } from "./preview/preview-item.ts";

const PreviewDialog = componentOnDemand(
  async () => (await import("./preview/preview-dialog.tsx")).PreviewDialog,
);

/** Shows a complete file of this browser, and `among` which others the arrow keys lead to. */
export type Preview = (file: FileDescription, among?: readonly FileDescription[]) => void;

/** Gives what shows a file, from where it can be saved and forwarded. */
export function usePreview(): Preview {
  const saveFiles = useSaveFiles();
  const forward = useForward();
  return useCallback(
    (file, among = [file]) => {
      const show = async (): Promise<void> => {
        const startIndex = Math.max(
          0,
          among.findIndex(({ fid }) => fid === file.fid),
        );
        const result = await openDialog(PreviewDialog, { items: among.map(keptItem), startIndex });
        const chosen = result.cancelled ? undefined : among.find(({ fid }) => fid === result.value.item.of);
        if (result.cancelled || chosen === undefined) return;
        if (result.value.verb === "save") await saveFiles([chosen]);
        else await forward([{ type: "cache", fid: chosen.fid, fileName: chosen.fileName }]);
      };
      void show();
    },
    [saveFiles, forward],
  );
}

/** Gives what shows a file at hand, one of a folder for instance. @returns whether the person wants it on their disk. */
export function usePreviewOfFile(): (file: File) => Promise<boolean> {
  const forward = useForward();
  return useCallback(
    async (file) => {
      const result = await openDialog(PreviewDialog, { items: [looseItem(file)], startIndex: 0 });
      if (result.cancelled) return false;
      if (result.value.verb === "save") return true;
      await forward([{ type: "file", file }]);
      return false;
    },
    [forward],
  );
}
