import type { ChatMessage, Conversation, Peer, TrustLevel } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { outcomeOf } from "../../file-state/file-state.ts";
import type { Moving } from "../../files/transfers/transfer-batch.ts";
import { treeName } from "../../files/tree/tree-name.ts";
import type { Translate } from "../../i18n/messages.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { messageLine } from "../message/message-line.ts";

/** The second line of a row. */
export interface RowLine {
  readonly kind:
    | "text"
    | "voice-call"
    | "video-call"
    | "file"
    | "folder"
    | "waiting"
    | "moving"
    | "warn"
    | "empty";
  readonly text: string;
  /** Of `moving`: 0 to 1. */
  readonly fraction: number | null;
}

/** The number of my messages queued for an absent person. */
function waitingCount(conversation: Conversation | undefined, personId: ClientId): number {
  return (conversation?.messages ?? []).filter(
    (message) => message.deliveries[personId]?.status === "sending",
  ).length;
}

const line = (kind: RowLine["kind"], text: string, fraction: number | null = null): RowLine => ({
  kind,
  text,
  fraction,
});

interface RowInput {
  readonly personId: ClientId;
  readonly selfId: ClientId;
  readonly name: string;
  readonly trustLevel: TrustLevel;
  readonly blockedByHand?: boolean | undefined;
  readonly peer: Peer | null;
  readonly conversation: Conversation | undefined;
  readonly moving: Moving | null;
}

/** The line under a person's name: current activity, pending messages, or the last message. */
export function personRowLine(input: RowInput, t: Translate, percent: (fraction: number) => string): RowLine {
  const { personId, selfId, name, trustLevel, peer, conversation, moving } = input;
  if (trustLevel === "blocked")
    return line("warn", t(input.blockedByHand ? "people.blockedByHand" : "people.blocked"));
  if (peer?.session === "reconnecting") {
    return line("warn", t("people.reconnecting", { attempt: Math.max(1, peer.attempt) }));
  }
  if (peer?.session === "connecting") return line("empty", t("people.connecting"));
  if (moving !== null) {
    const words = { percent: percent(moving.fraction) };
    const text = moving.mode === "receive" ? t("people.receiving", words) : t("people.sending", words);
    return line("moving", text, moving.fraction);
  }
  const waiting = peer?.ready ? 0 : waitingCount(conversation, personId);
  if (waiting > 0) return line("waiting", t("people.waiting", { count: waiting, name: firstNameOf(name) }));
  const last = conversation?.messages.at(-1);
  if (last === undefined) return line("empty", t("people.noMessages"));
  const isMine = last.client === selfId;
  if (last.type === "file") {
    const isOffer = !isMine && outcomeOf(last.offers[personId], false) === "waiting";
    const file = treeName(last.file, t);
    const kind = last.file.tree?.kind === "folder" ? "folder" : "file";
    return line(kind, isOffer ? t("people.offersFile", { file }) : file);
  }
  const text = messageLine(last, t);
  if (last.type === "call") return line(last.video ? "video-call" : "voice-call", text);
  return line("text", isMine ? t("people.fromYou", { text }) : text);
}

/** The line of the "everyone" row: the last message and its sender. */
export function everyoneRowLine(
  last: ChatMessage | undefined,
  senderName: string,
  selfId: ClientId,
  t: Translate,
): RowLine {
  if (last === undefined) return line("empty", t("people.noMessages"));
  const text = messageLine(last, t);
  if (last.type === "call") return line(last.video ? "video-call" : "voice-call", text);
  return line(
    "text",
    last.client === selfId
      ? t("people.fromYou", { text })
      : t("people.fromName", { name: firstNameOf(senderName), text }),
  );
}
