import type { KeyValueStorage, TransferSnapshots } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { fileStateOfTransfer } from "../file-state/file-state.ts";
import { useDevice } from "../ui/device-context.tsx";
import { useWarren } from "../ui/warren-context.tsx";
import { useSaveFiles } from "./use-save-files.ts";

const storageKey = "save_when_here";

let storage: KeyValueStorage | null = null;
let wanted = new Set<FileId>();

/** Restores the pending saves from before a reload. */
function keepSavesIn(tabStorage: KeyValueStorage): void {
  storage = tabStorage;
  wanted = new Set(tabStorage.read(storageKey)?.split(" "));
}

/** Marks a file to be saved once it is complete. */
export function saveWhenHere(fid: FileId): void {
  wanted.add(fid);
  storage?.write(storageKey, [...wanted].join(" "));
}

/** Whether a completed file should be saved; true only once. */
function takeSave(fid: FileId): boolean {
  if (!wanted.delete(fid)) return false;
  storage?.write(storageKey, [...wanted].join(" "));
  return true;
}

/**
 * Saves a received file to the downloads if it was accepted that way or automatic download is on.
 * @param early the transfers from before this code was loaded
 */
export function useAutomaticSaving(early?: TransferSnapshots): void {
  const { transfers, files, settings } = useWarren();
  const { tabStorage } = useDevice();
  const save = useSaveFiles();
  const unseen = useRef(early);
  useEffect(() => keepSavesIn(tabStorage), [tabStorage]);
  useEffect(() => {
    const saveReceived = (now: TransferSnapshots, before: TransferSnapshots): void => {
      const toSave = justReceived(now, before)
        .filter((fid) => takeSave(fid) || settings.get().automaticDownload)
        .flatMap((fid) => files.store.getState()[fid] ?? []);
      if (toSave.length > 0) void save(toSave.map(({ description }) => description));
    };
    if (unseen.current !== undefined) saveReceived(transfers.store.getState(), unseen.current);
    unseen.current = undefined;
    return transfers.store.subscribe(saveReceived);
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
