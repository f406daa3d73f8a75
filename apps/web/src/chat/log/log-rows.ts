import { type ChatMessage, reactionsOf } from "@warren/core";
import type { ClientId, FileId } from "@warren/protocol";
import { claimsPicture } from "../../pictures/picture-type.ts";
import { receiptGroupKey } from "../message/delivery.ts";
import { showsPicture } from "../message/message-rules.ts";
import type { UnreadMark } from "./use-unread-mark.ts";

/** A message as a row of the log, with its position in its group and the separators above it. */
export interface LogRow {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  /** First of its group: in the room conversation, the sender's name is shown above it. */
  readonly opens: boolean;
  /** Last of its group: the time is shown below it. */
  readonly closes: boolean;
  /** On the last message of a group of offered files: their number. */
  readonly groupSize: number;
  /** Whether the bubble or card above or below is of the same group, so that their corners join. */
  readonly joinsAbove: boolean;
  readonly joinsBelow: boolean;
  /** Set for the caption of a picture: the picture's file, at whose lower edge it stands. */
  readonly captionOf: FileId | null;
  /** Whether its caption follows. */
  readonly hasCaption: boolean;
  /** Space above in px. */
  readonly gap: 0 | 3 | 8 | 14;
  /** Start of the day, on the first message of that day, ms since the epoch; otherwise null. */
  readonly day: number | null;
  /** The number of new messages from here on; null unless this is the first new one. */
  readonly newCount: number | null;
}

const groupSpanMs = 5 * 60_000;

/** What it looks like, whatever becomes of it: a picture is a card until it is complete. */
const lookOf = (message: ChatMessage): "bubble" | "card" | "picture" =>
  message.type !== "file"
    ? "bubble"
    : message.file.tree === undefined && claimsPicture(message.file)
      ? "picture"
      : "card";

/** Whether two messages of one group join. Reactions stand between cards. */
function areJoined(above: ChatMessage, below: ChatMessage): boolean {
  const look = lookOf(above);
  if (look !== lookOf(below) || look === "picture") return false;
  return look === "bubble" || reactionsOf(above).length === 0;
}

/** A text that follows a picture within this was sent with it: nobody types that fast. */
const captionWithinMs = 1_500;

/** Whether a text is the caption of the picture before it, which is complete. A moving picture is shown as a card. */
function isCaption(message: ChatMessage, previous: ChatMessage, selfId: ClientId): boolean {
  if (message.type !== "text" || previous.type !== "file") return false;
  // The row of a text alone says what it answers, and that it was changed.
  const { quote, edited, deleted, clipboard } = message;
  if (quote !== undefined || edited !== undefined || deleted || clipboard) return false;
  const laterMs = message.createdAt - previous.createdAt;
  const isTogether = message.client === previous.client && laterMs >= 0 && laterMs < captionWithinMs;
  const isStill = previous.file.mimeType !== "image/gif";
  return isTogether && isStill && showsPicture(previous, previous.client === selfId);
}

function dayOf(message: ChatMessage): number {
  return new Date(message.sortedAt).setHours(0, 0, 0, 0);
}

/** The line under a group, apart from the time: messages that differ in it cannot share one. */
function footerOf(message: ChatMessage, isMine: boolean): string {
  const ofText = message.type === "text" ? (message.doubt ?? "") + (message.edited ? "edited" : "") : "";
  const said = ofText + (message.earlierBy ?? "");
  return isMine ? said + receiptGroupKey(message) : said;
}

/** The space between two messages without a line between them. */
function gapBetween(
  { type }: ChatMessage,
  previous: ChatMessage | undefined,
  { follows, joinsAbove }: { readonly follows: boolean; readonly joinsAbove: boolean },
): LogRow["gap"] {
  if (!follows) return type === "call" && previous?.type === "call" ? 0 : 14;
  if (!joinsAbove) return 8;
  return type === "text" ? 3 : 0;
}

/** The index of the first of the messages before one that continue each other up to it. */
function firstOfGroup(
  messages: readonly ChatMessage[],
  index: number,
  continues: (message: ChatMessage, previous: ChatMessage | undefined) => boolean,
): number {
  for (let at = index; at > 0; at--) {
    const message = messages[at];
    if (message === undefined || !continues(message, messages[at - 1])) return at;
  }
  return 0;
}

/**
 * The row of one message: its day, the unread mark, and its group (same sender, less than 5 minutes apart).
 * Looks only at the neighbours, so the cost depends on the rendered rows, not on the length of the
 * conversation.
 */
export function logRow(
  messages: readonly ChatMessage[],
  index: number,
  selfId: ClientId,
  unread: UnreadMark | null,
): LogRow | null {
  const separates = (message: ChatMessage, previous: ChatMessage | undefined) =>
    previous === undefined || dayOf(message) !== dayOf(previous) || message.key === unread?.firstKey;
  const continues = (message: ChatMessage, previous: ChatMessage | undefined): previous is ChatMessage =>
    previous !== undefined &&
    !separates(message, previous) &&
    message.type !== "call" &&
    previous.type !== "call" &&
    message.client === previous.client &&
    Math.abs(message.createdAt - previous.createdAt) < groupSpanMs &&
    (footerOf(message, message.client === selfId) === footerOf(previous, previous.client === selfId) ||
      isCaption(message, previous, selfId));

  const message = messages[index];
  if (message === undefined) return null;
  const previous = messages[index - 1];
  const next = messages[index + 1];
  const follows = continues(message, previous);
  const isFollowed = next !== undefined && continues(next, message);
  const joinsAbove = follows && areJoined(previous, message);
  const captionOf =
    follows && previous.type === "file" && isCaption(message, previous, selfId) ? previous.file.fid : null;
  const hasCaption = isFollowed && isCaption(next, message, selfId);
  const first = message.type === "file" && !isFollowed ? firstOfGroup(messages, index, continues) : index;
  const beginsDay = previous === undefined || dayOf(message) !== dayOf(previous);
  return {
    message,
    isMine: message.client === selfId,
    opens: !follows,
    closes: !isFollowed,
    groupSize: index - first + 1,
    joinsAbove,
    joinsBelow: isFollowed && areJoined(message, next),
    captionOf,
    hasCaption,
    gap:
      separates(message, previous) || captionOf !== null
        ? 0
        : gapBetween(message, previous, { follows, joinsAbove }),
    day: beginsDay ? dayOf(message) : null,
    newCount: unread !== null && message.key === unread.firstKey ? unread.count : null,
  };
}
