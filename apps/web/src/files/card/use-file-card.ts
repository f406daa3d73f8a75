import {
  awaitsAnybody,
  everyone,
  type FileMessage,
  findUnreadable,
  openTree,
  peersOf,
  transferKeyOf,
} from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import type { TreeEntry } from "@warren/protocol/tree";
import { useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { stateOfError } from "../../file-state/file-state.ts";
import { givenOfferOf } from "../../file-state/given-offer.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf, shownName } from "../../people/shown-name.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { useOption, useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { fileKind } from "../file-kind.ts";
import { treePosition } from "../tree/tree-position.ts";
import { type FileCardView, type FileEnd, fileCardView } from "./file-card-view.ts";

/** The message about what another member gives for an offer to everyone while its author does not; else the offer. */
function useGiven(message: FileMessage): FileMessage {
  const { chat } = useWarren();
  const search = useStore(chat.searches, (searches) => searches.get(message.key));
  return useStore(chat.store, ({ conversations }) => {
    if (search?.state !== "given") return message;
    const given = conversations[search.by]?.messages.findLast(
      (one): one is FileMessage => one.type === "file" && givenOfferOf(one) === message.key,
    );
    return given ?? message;
  });
}

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
  const ids = Object.keys(message.offers);
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
    useShallow((state) => ids.map((id) => state.get(transferKeyOf(id, fid)))),
  );
  // My file is complete here, which does not show how much the peer received.
  const storedBytes = useStore(files.store, (state) =>
    isMine ? null : (state.get(fid)?.storedBytes ?? null),
  );
  const someone = t("people.someone");
  return useMemo(
    () =>
      Object.entries(message.offers).map(([id, offer], i) => ({
        name: firstNameOf(names[i] ?? someone),
        isHere: peers[i]?.ready ?? false,
        isUnsent: message.deliveries[id]?.status === "error",
        offer,
        transfer: moving[i],
        storedBytes,
        position: (entries && moving[i] && treePosition(entries, moving[i].transferredBytes)) ?? null,
      })),
    [message.offers, message.deliveries, peers, names, moving, storedBytes, someone, entries],
  );
}

/** The file of my tree that disappeared or changed on the disk and so stopped it; null until found. */
function useChangedFile({ file, offers }: FileMessage, isMine: boolean): string | null {
  const { files } = useWarren();
  const [path, setPath] = useState<string | null>(null);
  const isChanged =
    isMine &&
    file.tree !== undefined &&
    Object.values(offers).some(
      (offer) => offer.state === "failed" && ["changed", "unusable"].includes(stateOfError(offer.error.code)),
    );

  useAbortableEffect(
    (signal) => {
      if (!isChanged) return;
      const find = async (): Promise<void> => {
        const stream = files.offered.changedFileOf(file.fid);
        const found = stream && (await findUnreadable(await openTree(stream, file, files.readManifest)));
        if (!signal.aborted) setPath(found?.path ?? null);
      };
      find().catch(() => {}); // The card already says that something changed.
    },
    [files, file, isChanged],
  );
  return isChanged ? path : null;
}

/** Why a received file is no longer here: deleted by the user, or lost by the browser. */
function useLoss({ file: { fid } }: FileMessage, isMine: boolean): "gone" | "missing" | null {
  const { files } = useWarren();
  return useStore(files.store, (state) => {
    const file = state.get(fid);
    if (isMine || !files.isLoaded) return null;
    if (file === undefined) return "gone";
    return file.state === "missing" ? "missing" : null;
  });
}

/** The same end without the bytes of a tree's manifest, which users do not know about. */
function withoutManifest(end: FileEnd, manifestBytes: number): FileEnd {
  const { transfer, storedBytes } = end;
  const subtractManifest = (bytes: number): number => Math.max(0, bytes - manifestBytes);
  return {
    ...end,
    transfer: transfer && {
      ...transfer,
      totalBytes: subtractManifest(transfer.totalBytes),
      transferredBytes: subtractManifest(transfer.transferredBytes),
    },
    storedBytes: storedBytes === null ? null : subtractManifest(storedBytes),
  };
}

/**
 * The content of a file message's card, with the entries of a tree if known, and the message that its actions are about.
 * Re-renders twice a second as its transfers move.
 */
export function useFileCard(
  message: FileMessage,
  isMine: boolean,
  entries: readonly TreeEntry[] | null,
): { readonly view: FileCardView; readonly given: FileMessage } {
  const t = useT();
  const format = useFormat();
  const given = useGiven(message);
  const ends = useFileEnds(given, isMine, entries);
  const found = useStore(useWarren().chat.searches, (searches) => searches.get(message.key)?.state ?? null);
  const search = given === message && found === "given" ? null : found;
  const loss = useLoss(message, isMine);
  const changedPath = useChangedFile(message, isMine);
  const limitBytes = useOption("maxFileSize");
  const stored = useStore(useWarren().files.store, (state) => state.get(message.file.fid));
  const { saved: isSaved = false, savedAs = null } = stored ?? {};
  const isToEveryone = message.conversation === everyone;
  const awaits = isMine && awaitsAnybody(message);
  const about = { isMine, isToEveryone, awaitsAnybody: awaits, loss, limitBytes, isSaved, savedAs, search };
  const { file } = message;
  const { tree } = file;
  if (tree === undefined) {
    const kind = fileKind(file.fileName);
    return { view: fileCardView({ ...about, file, ends, kind }, { t, format }), given };
  }
  const content = { ...file, fileSize: contentSizeOf(file) };
  const contentEnds = ends.map((end) => ({ ...withoutManifest(end, tree.manifestSize), changedPath }));
  const view = fileCardView({ ...about, file: content, ends: contentEnds, kind: null }, { t, format });
  return { view, given };
}
