import { type FileDescription, WarrenError } from "@warren/protocol";
import { useCallback } from "react";
import { useT } from "../i18n/use-t.ts";
import { saveFile } from "./save-file.ts";
import { useRun } from "./use-run.ts";
import { useWarren } from "./warren-context.tsx";

/** Saves files of this browser to the person's downloads, or says which are gone. */
export function useSaveFiles(): (
  files: readonly Pick<FileDescription, "fid" | "fileName">[],
) => Promise<void> {
  const t = useT();
  const run = useRun();
  const { files: library } = useWarren();
  return useCallback(
    async (wanted) => {
      for (const { fid, fileName } of wanted) {
        const title = t("file.notHere", { file: fileName });
        await run(async () => {
          const file = await library.open(fid);
          if (file === null) throw new WarrenError("cache-not-found", { id: fid });
          saveFile(file);
        }, title);
      }
    },
    [t, run, library],
  );
}
