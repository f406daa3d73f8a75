import type { FileDescription } from "@warren/protocol";
import { useSaveFiles } from "../components/use-save-files.ts";
import { componentOnDemand } from "../ui/on-demand.tsx";
import { openDialog } from "./open-dialog.tsx";

const PictureDialog = componentOnDemand(async () => (await import("./picture-dialog.tsx")).PictureDialog);

/** Gives what shows a complete file of this browser, from where it can be saved. */
export function usePreview(): (file: Pick<FileDescription, "fid" | "fileName">) => void {
  const saveFiles = useSaveFiles();
  const preview = async (file: Pick<FileDescription, "fid" | "fileName">): Promise<void> => {
    const result = await openDialog(PictureDialog, { picture: file.fid, fileName: file.fileName });
    if (!result.cancelled) await saveFiles([file]);
  };
  return (file) => void preview(file);
}
