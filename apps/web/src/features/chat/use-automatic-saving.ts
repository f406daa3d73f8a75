import type { TransferState } from "@warren/core";
import { useEffect } from "react";
import { useSaveFiles } from "../../components/use-save-files.ts";
import { useWarren } from "../../components/warren-context.tsx";

/** With automatic download on, whatever has just come is also saved to the person's downloads. */
export function useAutomaticSaving(): void {
  const { transfers, files, settings } = useWarren();
  const save = useSaveFiles();
  useEffect(
    () =>
      transfers.store.subscribe((now, before) => {
        if (!settings.get().automaticDownload) return;
        const come = justReceived(now, before).flatMap((fid) => files.store.getState()[fid] ?? []);
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
