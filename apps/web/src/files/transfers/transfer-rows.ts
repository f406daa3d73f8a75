import { type ChatState, type FileMessage, type TransferSnapshots, transferKeyOf } from "@warren/core";
import { movingOf } from "./transfer-batch.ts";

/** The transfers of this page, in list order. */
export interface TransferRows {
  /** Active ones, then queued ones in queue order, then stalled or failed ones, latest first. */
  readonly open: readonly FileMessage[];
  /** Those completed since this tab was opened, latest first. */
  readonly done: readonly FileMessage[];
}

/** Marks of messages by their keys, besides their transfer state. */
interface Marks {
  /** Cleared by the user. */
  readonly cleared: ReadonlySet<string>;
  /** Completed before the page was reloaded. */
  readonly earlier: ReadonlySet<string>;
}

/**
 * The content of the tray: active transfers of all conversations, and those that ended in this tab and were
 * not cleared.
 */
export function transferRows(
  { conversations }: Pick<ChatState, "conversations">,
  transfers: TransferSnapshots,
  { cleared, earlier }: Marks,
): TransferRows {
  const open: FileMessage[] = [];
  const done: FileMessage[] = [];
  for (const conversation of Object.values(conversations)) {
    for (const message of conversation?.messages ?? []) {
      if (message.type !== "file" || cleared.has(message.key)) continue;
      const place = placeOf(message, transfers, earlier);
      if (place === "open") open.push(message);
      if (place === "done") done.push(message);
    }
  }
  const latestFirst = (a: FileMessage, b: FileMessage) => b.sortedAt - a.sortedAt;
  const ranks = new Map(open.map((message) => [message, rankOf(message)]));
  const inOpenOrder = (a: FileMessage, b: FileMessage) => {
    const rank = ranks.get(a) ?? 0;
    const byTime = latestFirst(a, b);
    return rank - (ranks.get(b) ?? 0) || (rank === 1 ? -byTime : byTime);
  };
  return { open: open.sort(inOpenOrder), done: done.sort(latestFirst) };
}

/** 0 active, 1 queued, 2 stalled or failed. */
function rankOf({ transfers }: FileMessage): 0 | 1 | 2 {
  const states = Object.values(transfers);
  if (states.some(({ status }) => status === "transferring")) return 0;
  return states.some((state) => state.status === "paused" && state.by === "queue") ? 1 : 2;
}

function placeOf(
  { key, transfers: states, file }: FileMessage,
  transfers: TransferSnapshots,
  earlier: ReadonlySet<string>,
): "open" | "done" | null {
  const ends = Object.entries(states);
  if (ends.some(([, { status }]) => status === "transferring" || status === "paused")) return "open";
  const moved = ends.filter(([peer]) => transfers[transferKeyOf(peer, file.fid)] !== undefined);
  if (moved.some(([, { status }]) => status === "error")) return "open";
  const ended = earlier.has(key) ? ends : moved;
  return ended.some(([, { status }]) => status === "complete") ? "done" : null;
}

/** Current receive and send speeds; null while unknown. */
export interface TransferSpeeds {
  readonly receivedPerSecond: number | null;
  readonly sentPerSecond: number | null;
}

/** Sums up the speeds of the active transfers. */
export function transferSpeeds(transfers: TransferSnapshots): TransferSpeeds {
  const moving = movingOf(transfers);
  const speedOf = (mode: "send" | "receive"): number | null => {
    const speeds = moving.flatMap((one) => (one.mode === mode ? [one.bytesPerSecond] : []));
    const known = speeds.filter((speed) => speed !== null);
    return known.length === 0 ? null : known.reduce((sum, speed) => sum + speed, 0);
  };
  return { receivedPerSecond: speedOf("receive"), sentPerSecond: speedOf("send") };
}
