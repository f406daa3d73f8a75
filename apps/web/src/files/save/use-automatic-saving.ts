import { isLive, type TransferSnapshots } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { useEffect } from "react";
import { fileStateOfTransfer } from "../../file-state/file-state.ts";
import { downloads } from "../../tab/pending-saves.ts";
import { useTab } from "../../tab/tab-context.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { saveStoredFiles } from "./save-stored-files.ts";

/**
 * Saves a received file if it was accepted that way, at the chosen location, or to the downloads if automatic download is on; also
 * one that was complete when an earlier page of this tab ended before it had saved it.
 */
export function useAutomaticSaving(): void {
  const { transfers, files, settings } = useWarren();
  const { pendingSaves } = useTab();
  const platform = usePlatform();
  useEffect(() => {
    const isMoving = (fid: FileId): boolean =>
      [...transfers.store.getState().values()].some(
        (transfer) => transfer.fid === fid && isLive(transfer.now),
      );
    const saveWaiting = (): void => {
      for (const fid of pendingSaves.waiting) {
        const file = files.store.getState().get(fid);
        if (file?.state !== "complete" || isMoving(fid)) continue;
        const location = pendingSaves.take(fid);
        if (location !== null)
          void saveStoredFiles(files, platform, [file.description], location).finally(() =>
            pendingSaves.end(fid),
          );
      }
    };
    const saveReceived = (now: TransferSnapshots, before: TransferSnapshots): void => {
      const isAutomatic = settings.get().automaticDownload;
      for (const fid of justReceived(now, before))
        if (isAutomatic && !pendingSaves.has(fid)) pendingSaves.add(fid, downloads);
      saveWaiting();
    };
    saveWaiting();
    const stops = [transfers.store.subscribe(saveReceived), files.store.subscribe(saveWaiting)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [transfers, files, settings, pendingSaves, platform]);
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
