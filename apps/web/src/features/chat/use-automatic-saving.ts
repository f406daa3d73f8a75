import type { TransferState } from "@warren/core";
import { useEffect } from "react";
import { useDevice } from "../../components/device-context.tsx";
import { keepSavesIn, takeSave } from "../../components/save-when-here.ts";
import { useSaveFiles } from "../../components/use-save-files.ts";
import { useWarren } from "../../components/warren-context.tsx";

/** Saves what has just come to the person's downloads where they accepted it so, or with automatic download on. */
export function useAutomaticSaving(): void {
  const { transfers, files, settings } = useWarren();
  const { tabStorage } = useDevice();
  const save = useSaveFiles();
  useEffect(() => keepSavesIn(tabStorage), [tabStorage]);
  useEffect(
    () =>
      transfers.store.subscribe((now, before) => {
        const come = justReceived(now, before)
          .filter((fid) => takeSave(fid) || settings.get().automaticDownload)
          .flatMap((fid) => files.store.getState()[fid] ?? []);
        if (come.length > 0) void save(come.map(({ description }) => description));
      }),
    [transfers, files, settings, save],
  );
}

function justReceived(now: TransferState, before: TransferState): readonly string[] {
  return Object.values(now)
    .filter(({ key, mode, state }) => {
      const wasComplete = before[key]?.state.status === "complete";
      return mode === "receive" && state.status === "complete" && !wasComplete;
    })
    .map(({ fid }) => fid);
}
