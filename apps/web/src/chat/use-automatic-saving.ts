import type { TransferSnapshots } from "@warren/core";
import { useEffect, useRef } from "react";
import { fileStateOfTransfer } from "../file-state/file-state.ts";
import { keepSavesIn, takeSave } from "../files/save-when-here.ts";
import { useSaveFiles } from "../files/use-save-files.ts";
import { useDevice } from "../ui/device-context.tsx";
import { useWarren } from "../ui/warren-context.tsx";

/**
 * Saves a received file to the downloads if it was accepted that way or automatic download is on.
 * @param early the transfers of before this code came
 */
export function useAutomaticSaving(early?: TransferSnapshots): void {
  const { transfers, files, settings } = useWarren();
  const { tabStorage } = useDevice();
  const save = useSaveFiles();
  const unseen = useRef(early);
  useEffect(() => keepSavesIn(tabStorage), [tabStorage]);
  useEffect(() => {
    const look = (now: TransferSnapshots, before: TransferSnapshots): void => {
      const come = justReceived(now, before)
        .filter((fid) => takeSave(fid) || settings.get().automaticDownload)
        .flatMap((fid) => files.store.getState()[fid] ?? []);
      if (come.length > 0) void save(come.map(({ description }) => description));
    };
    if (unseen.current !== undefined) look(transfers.store.getState(), unseen.current);
    unseen.current = undefined;
    return transfers.store.subscribe(look);
  }, [transfers, files, settings, save]);
}

function justReceived(now: TransferSnapshots, before: TransferSnapshots): readonly string[] {
  return Object.values(now)
    .filter((transfer) => {
      const former = before[transfer.key];
      const wasComplete = former !== undefined && fileStateOfTransfer(former) === "complete";
      return transfer.mode === "receive" && fileStateOfTransfer(transfer) === "complete" && !wasComplete;
    })
    .map(({ fid }) => fid);
}
