import { type FileMessage, peersOf, transferKeyOf } from "@warren/core";
import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { fileCardView } from "./file-card-view.ts";
import { fileKind } from "./file-kind.ts";
import type { FileCardView, FileEnd } from "./file-view.ts";
import { firstNameOf } from "./use-person.ts";
import { useStore, useWarren } from "./warren-context.tsx";

/** The other ends of a file's way as they stand now. */
function useFileEnds(message: FileMessage, isMine: boolean): readonly FileEnd[] {
  const t = useT();
  const { room, chat, transfers, files } = useWarren();
  const { fid } = message.file;
  const ids = Object.keys(message.transfers);
  const peers = useStore(
    room.store,
    useShallow((state) => ids.map((id) => peersOf(state)[id])),
  );
  const contacts = useStore(
    chat.store,
    useShallow((state) => ids.map((id) => state.contacts[id])),
  );
  const moving = useStore(
    transfers.store,
    useShallow((state) => ids.map((id) => state[transferKeyOf(id, fid)])),
  );
  // What I sent is here whole: it says nothing about how much of it has arrived.
  const storedBytes = useStore(files.store, (state) => (isMine ? null : (state[fid]?.storedBytes ?? null)));
  const someone = t("people.someone");
  return useMemo(
    () =>
      Object.entries(message.transfers).map(([, state], i) => ({
        name: firstNameOf(peers[i]?.profile?.name ?? contacts[i]?.name ?? someone),
        isHere: peers[i]?.ready ?? false,
        state,
        transfer: moving[i],
        storedBytes,
      })),
    [message.transfers, peers, contacts, moving, storedBytes, someone],
  );
}

/** What the card of a file message shows now. Draws again as its transfers move, up to 10 times a second. */
export function useFileCard(message: FileMessage, isMine: boolean): FileCardView {
  const t = useT();
  const format = useFormat();
  const ends = useFileEnds(message, isMine);
  const { file } = message;
  return fileCardView({ file, isMine, ends, kind: fileKind(file.fileName) }, { t, format });
}
