import type { TransferSnapshots } from "@warren/core";
import { useEffect } from "react";
import { fileStateOfTransfer } from "../../file-state/file-state.ts";
import { downloads } from "../../tab/pending-saves.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { useSaveFiles } from "./use-save-files.ts";

/** Saves a received file if it was accepted that way, at the chosen location, or to the downloads if automatic download is on. */
export function useAutomaticSaving(): void {
  const { transfers, files, settings } = useWarren();
  const { pendingSaves } = useTab();
  const save = useSaveFiles();
  useEffect(() => {
    const saveReceived = (now: TransferSnapshots, before: TransferSnapshots): void => {
      for (const fid of justReceived(now, before)) {
        const location = pendingSaves.take(fid) ?? (settings.get().automaticDownload ? downloads : null);
        const file = files.store.getState().get(fid);
        if (location !== null && file) void save([file.description], location);
      }
    };
    return transfers.store.subscribe(saveReceived);
  }, [transfers, files, settings, pendingSaves, save]);
}

function justReceived(now: TransferSnapshots, before: TransferSnapshots): readonly string[] {
  return [...now.values()]
    .filter((transfer) => {
      const former = before.get(transfer.key);
      const wasComplete = former !== undefined && fileStateOfTransfer(former) === "complete";
      return transfer.mode === "receive" && fileStateOfTransfer(transfer) === "complete" && !wasComplete;
    })
    .map(({ fid }) => fid);
}
