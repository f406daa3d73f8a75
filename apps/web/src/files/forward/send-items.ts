import {
  type ConversationId,
  everyone,
  type OfferOptions,
  onlineStatusOf,
  peersOf,
  type Warren,
} from "@warren/core";
import { toWarrenError, type WarrenError } from "@warren/protocol";
import type { ForwardItem } from "./forward-item.ts";

/** The result of sending to one target: everything was sent if both lists are empty. */
export interface SentTo {
  readonly target: ConversationId;
  /** Left out because the target had left by then. */
  readonly unsent: readonly ForwardItem[];
  readonly failures: readonly { readonly type: ForwardItem["type"]; readonly error: WarrenError }[];
}

/** Sends items to each target in sequence; a failure does not affect the other targets. */
export async function sendItems(
  warren: Warren,
  items: readonly ForwardItem[],
  targets: readonly ConversationId[],
  options?: OfferOptions,
): Promise<readonly SentTo[]> {
  const results: SentTo[] = [];
  for (const target of targets) results.push(await sendTo(warren, items, target, options));
  return results;
}

async function sendTo(
  warren: Warren,
  items: readonly ForwardItem[],
  target: ConversationId,
  options?: OfferOptions,
): Promise<SentTo> {
  const unsent = [];
  const failures = [];
  for (const item of items) {
    if (!isInRoom(warren, target)) {
      unsent.push(item);
      continue;
    }
    try {
      await sendOne(warren, item, target, options);
    } catch (thrown) {
      failures.push({ type: item.type, error: toWarrenError(thrown) });
    }
  }
  return { target, unsent, failures };
}

function sendOne(
  { chat }: Warren,
  item: ForwardItem,
  target: ConversationId,
  options?: OfferOptions,
): Promise<void> {
  switch (item.type) {
    case "text":
      return chat.sendText(target, item.text);
    case "file":
      return chat.sendFile(target, item.file, options);
    case "cache":
      return chat.forwardFile(target, item.fid, options);
  }
}

/** Whether a target is in the room; a reconnecting peer receives the items once it is back. */
function isInRoom({ room }: Warren, target: ConversationId): boolean {
  const peers = peersOf(room.store.getState());
  if (target === everyone) return Object.values(peers).some((peer) => peer.ready);
  const peer = peers[target];
  return peer !== undefined && onlineStatusOf[peer.session] !== "offline";
}
