import {
  type ConversationId,
  everyone,
  isAround,
  type OfferOptions,
  peersOf,
  type Warren,
} from "@warren/core";
import { contentSizeOf, type RoomTag, toWarrenError, type WarrenError } from "@warren/protocol";
import { currentFormat } from "../../i18n/format.ts";
import { errorText, translate } from "../../i18n/i18n.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { currentNameOf } from "../../people/use-person.ts";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { toast } from "../../wiring/toast.ts";
import { askSize } from "../save/size-question.ts";

/** What came of sending items. */
export interface SendOutcome {
  /** Whether any target got everything. */
  readonly wasSent: boolean;
  /** The items that some target did not get, because that failed or the user cancelled. */
  readonly unsent: readonly ForwardItem[];
}

/**
 * Sends items and shows the result per target.
 * @param room the one where the targets were chosen: what is for everyone there goes to no other room.
 */
export async function sendToTargets(
  warren: Warren,
  items: readonly ForwardItem[],
  targets: readonly ConversationId[],
  room: RoomTag,
): Promise<SendOutcome> {
  const format = currentFormat();
  const nameOf = (id: ConversationId): string =>
    id === everyone ? translate("people.everyone") : firstNameOf(currentNameOf(warren, id));
  const options = await askSize(warren.settings, "send", sizesOf(items, warren));
  if (options === "cancelled") return { wasSent: false, unsent: items };
  const results: SentTo[] = [];
  for (const target of targets) results.push(await sendTo(warren, items, { target, room }, options));
  const sent = results
    .filter(({ unsent, failures }) => unsent.length + failures.length === 0)
    .map(({ target }) => nameOf(target));
  if (sent.length > 0) toast.success(translate("toast.forwarded", { names: format.list(sent) }));
  for (const each of results) {
    const name = nameOf(each.target);
    if (each.unsent.length > 0) {
      const type = format.list([
        ...new Set(each.unsent.map((item) => translate(`forward.type.${item.type}`))),
      ]);
      toast.error(
        translate("toast.forwardFailedReason", { type, name, reason: translate("toast.forwardLeft") }),
      );
    }
    for (const { item, error } of each.failures) {
      const values = { type: translate(`forward.type.${item.type}`), name };
      if (error.code === "unknown") toast.error(translate("toast.forwardFailed", values));
      else
        toast.error(
          translate("toast.forwardFailedReason", { ...values, reason: errorText(error.describe()) }),
        );
    }
  }
  const missed = new Set(
    results.flatMap(({ unsent, failures }) => [...unsent, ...failures.map(({ item }) => item)]),
  );
  return { wasSent: sent.length > 0, unsent: items.filter((item) => missed.has(item)) };
}

function sizesOf(items: readonly ForwardItem[], { files }: Warren): readonly number[] {
  const stored = files.store.getState();
  return items.flatMap((item) => {
    if (item.type === "file") return item.file.size;
    const known = item.type === "cache" ? stored.get(item.fid) : undefined;
    return known ? contentSizeOf(known.description) : [];
  });
}

/** The result of sending to one target: everything was sent if both lists are empty. */
interface SentTo {
  readonly target: ConversationId;
  /** Left out because the target had left by then. */
  readonly unsent: readonly ForwardItem[];
  readonly failures: readonly { readonly item: ForwardItem; readonly error: WarrenError }[];
}

/** Sends items to one target; a failure does not affect other targets. */
async function sendTo(
  warren: Warren,
  items: readonly ForwardItem[],
  { target, room }: { readonly target: ConversationId; readonly room: RoomTag },
  options: OfferOptions | undefined,
): Promise<SentTo> {
  const unsent = [];
  const failures = [];
  for (const item of items) {
    if (!isInRoom(warren, target, room)) {
      unsent.push(item);
      continue;
    }
    try {
      await sendOne(warren, item, target, options);
    } catch (thrown) {
      failures.push({ item, error: toWarrenError(thrown) });
    }
  }
  return { target, unsent, failures };
}

function sendOne(
  { chat }: Warren,
  item: ForwardItem,
  target: ConversationId,
  options: OfferOptions | undefined,
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

/** Whether a target is with us, everyone in that room; a reconnecting peer receives the items once it is back. */
function isInRoom({ chat, room }: Warren, target: ConversationId, tag: RoomTag): boolean {
  const peers = peersOf(room.store.getState());
  if (target === everyone)
    return chat.store.getState().room === tag && Object.values(peers).some((peer) => peer.ready);
  return isAround(peers[target]);
}
