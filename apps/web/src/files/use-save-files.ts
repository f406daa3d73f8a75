import { type FileDescription, WarrenError } from "@warren/protocol";
import { useCallback } from "react";
import { useT } from "../i18n/use-t.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";
import { saveFile } from "./save-file.ts";

// Imported through a local module: importing core's entry point would bring all of core to the first page.
const zipping = onDemand(() => import("./tree/zip-file.ts"));

/** Saves files of this browser to the downloads, folders as zips, or reports the missing ones. */
export function useSaveFiles(): (files: readonly FileDescription[]) => Promise<void> {
  const t = useT();
  const run = useRun();
  const { files: library } = useWarren();
  return useCallback(
    async (wanted) => {
      for (const description of wanted) {
        const { fid, fileName } = description;
        const title = t("file.notHere", { file: fileName });
        await run(async () => {
          const file = await library.open(fid);
          if (file === null) throw new WarrenError("cache-not-found", { id: fid });
          saveFile(description.tree ? await zipOf(file, description) : file);
          await library.noteSaved(fid);
        }, title);
      }
    },
    [t, run, library],
  );
}

async function zipOf(stream: File, description: FileDescription): Promise<File> {
  const { zipFileOfStream } = await zipping.load();
  return zipFileOfStream(stream, description);
}
