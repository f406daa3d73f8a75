import {
  type ClientId,
  decodeFrame,
  type FileEntry,
  fileEntrySchema,
  limits,
  type PeerMessageOf,
  utf8Length,
} from "@warren/protocol";
import type { Entry } from "../room-log/entry.ts";
import { entryMessageId, type FileMessage } from "./message.ts";

/** The kind of an entry that offers a file to everyone in a room, now and later. */
export const fileKind = "file";

/** The body of the entry that offers a file; without the list of a tree where that is too long for one. */
export function bodyOfFile({
  file,
  manifest,
  sample,
  root,
  thumbnail,
}: Pick<FileMessage, "file" | "manifest" | "sample" | "root" | "thumbnail">): string {
  const known: FileEntry = { ...file, sample, root, thumbnail };
  const whole = JSON.stringify({ ...known, manifest });
  return utf8Length(whole) <= limits.textBytes ? whole : JSON.stringify(known);
}

/** The offer that an entry is, as its author would send it to one client; null if it is none. */
export function offerOfEntry(
  { kind, author, n, hash, time, body }: Entry,
  target: ClientId,
): PeerMessageOf<"send-file"> | null {
  if (kind !== fileKind) return null;
  const decoded = decodeFrame(fileEntrySchema, body, limits.textBytes);
  if (!decoded.ok) return null;
  const envelope = { id: entryMessageId(n, hash), client: author, target, createdAt: time };
  return { ...envelope, type: "send-file", ...decoded.value, scope: "room" };
}

/** Whether an offer of ours to everyone in a room has reached nobody yet, and whoever comes may get it. */
export function awaitsAnybody({ offers, entry, withdrawn }: FileMessage): boolean {
  return Object.keys(offers).length === 0 && entry !== undefined && !withdrawn;
}

/** Our offer to everyone in a room, once a member has it that was away when it was made. */
export function withRecipient(message: FileMessage, peer: ClientId): FileMessage {
  if (Object.hasOwn(message.offers, peer)) return message;
  const offer = { state: message.withdrawn ? "withdrawn" : "offered" } as const;
  return {
    ...message,
    deliveries: { ...message.deliveries, [peer]: { status: "received" } },
    offers: { ...message.offers, [peer]: offer },
  };
}
