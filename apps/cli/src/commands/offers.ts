import {
  type FileMessage,
  type Offer,
  offerNow,
  type TransferSnapshot,
  type TransferState,
  transferKeyOf,
  type Warren,
} from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import type { Item } from "../terminal/events.ts";

/** What a message offers, in the words of events. */
export function itemOf({ file }: Pick<FileMessage, "file">): Item {
  return { name: file.fileName, sizeBytes: contentSizeOf(file), files: file.tree?.files ?? null };
}

/** The messages about files of all conversations. */
export function fileMessagesOf(warren: Warren): readonly FileMessage[] {
  const { conversations } = warren.chat.store.getState();
  return Object.values(conversations).flatMap((conversation) =>
    (conversation?.messages ?? []).filter((message) => message.type === "file"),
  );
}

/** The state of an offer with one client, and its transfer if there is one. */
export function offerOf(
  warren: Warren,
  { file, offers }: FileMessage,
  peer: ClientId,
): { readonly now: TransferState | undefined; readonly transfer: TransferSnapshot | undefined } {
  const transfer = warren.transfers.store.getState().get(transferKeyOf(peer, file.fid));
  const offer: Offer | undefined = offers[peer];
  return { now: offer && offerNow(offer, transfer?.now), transfer };
}
