import { type FileMessage, peersOf, transferKeyOf } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import type { TreeEntry } from "@warren/protocol/tree";
import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf, shownName } from "../people/shown-name.ts";
import { useDevice } from "../ui/device-context.tsx";
import { useOptions, useProfile, useStore, useWarren } from "../ui/warren-context.tsx";
import { type FileCardView, type FileEnd, fileCardView } from "./file-card-view.ts";
import { fileKind } from "./file-kind.ts";
import { treePlace } from "./tree/tree-place.ts";
import { useChangedFile } from "./tree/use-tree-entries.ts";

/** The present state of a file's other ends. */
function useFileEnds(
  message: FileMessage,
  isMine: boolean,
  entries: readonly TreeEntry[] | null,
): readonly FileEnd[] {
  const t = useT();
  const { room, chat, transfers, files } = useWarren();
  const { name: ownName } = useProfile();
  const { fid } = message.file;
  const ids = Object.keys(message.transfers);
  const peers = useStore(
    room.store,
    useShallow((state) => ids.map((id) => peersOf(state)[id])),
  );
  const names = useStore(
    chat.store,
    useShallow(({ contacts }) =>
      ids.map((id, i) => shownName(id, contacts, ownName, peers[i]?.profile?.name)),
    ),
  );
  const moving = useStore(
    transfers.store,
    useShallow((state) => ids.map((id) => state[transferKeyOf(id, fid)])),
  );
  // My file is complete here, which does not show how much the peer received.
  const storedBytes = useStore(files.store, (state) => (isMine ? null : (state[fid]?.storedBytes ?? null)));
  const someone = t("people.someone");
  return useMemo(
    () =>
      Object.entries(message.transfers).map(([id, state], i) => ({
        name: firstNameOf(names[i] ?? someone),
        isHere: peers[i]?.ready ?? false,
        isUnsent: message.deliveries[id]?.status === "error",
        state,
        transfer: moving[i],
        storedBytes,
        place: (entries && moving[i] && treePlace(entries, moving[i].transferredBytes)) ?? null,
      })),
    [message.transfers, message.deliveries, peers, names, moving, storedBytes, someone, entries],
  );
}

/** Why a received file is no longer here: deleted by the user, or lost by the browser. */
function useLoss({ file: { fid } }: FileMessage, isMine: boolean): "gone" | "missing" | null {
  const { files } = useWarren();
  return useStore(files.store, ({ [fid]: file }) => {
    if (isMine || !files.isLoaded) return null;
    if (file === undefined) return "gone";
    return file.state === "missing" ? "missing" : null;
  });
}

/** The same end without the bytes of a tree's manifest, which users do not know about. */
function withoutManifest(end: FileEnd, manifestBytes: number): FileEnd {
  const { transfer, storedBytes } = end;
  const less = (bytes: number): number => Math.max(0, bytes - manifestBytes);
  return {
    ...end,
    transfer: transfer && {
      ...transfer,
      totalBytes: less(transfer.totalBytes),
      transferredBytes: less(transfer.transferredBytes),
    },
    storedBytes: storedBytes === null ? null : less(storedBytes),
  };
}

/**
 * The content of a file message's card, with the entries of a tree if known. Re-renders twice a second as its
 * transfers move.
 */
export function useFileCard(
  message: FileMessage,
  isMine: boolean,
  entries: readonly TreeEntry[] | null,
): FileCardView {
  const t = useT();
  const format = useFormat();
  const ends = useFileEnds(message, isMine, entries);
  const loss = useLoss(message, isMine);
  const changedPath = useChangedFile(message, isMine);
  const { maxFileSize: limitBytes, automaticDownload } = useOptions();
  const { savesUnasked } = useDevice();
  const isSaved = useStore(useWarren().files.store, (state) => state[message.file.fid]?.saved === true);
  const about = { isMine, loss, limitBytes, isSaved, canSaveUnasked: savesUnasked && !automaticDownload };
  const { file } = message;
  const { tree } = file;
  if (tree === undefined)
    return fileCardView({ ...about, file, ends, kind: fileKind(file.fileName) }, { t, format });
  const content = { ...file, fileSize: contentSizeOf(file) };
  const contentEnds = ends.map((end) => ({ ...withoutManifest(end, tree.manifestSize), changedPath }));
  return fileCardView({ ...about, file: content, ends: contentEnds, kind: null }, { t, format });
}
