import { type ChatState, type FileMessage, type TransferState, transferKeyOf } from "@warren/core";

/** The transfers of this page, the latest first. */
export interface TransferRows {
  /** Those that move, stand still, or failed since the page loaded. */
  readonly open: readonly FileMessage[];
  /** Those that became complete since the page loaded. */
  readonly done: readonly FileMessage[];
}

/** What the tray lists: what is under way in any conversation, and what ended in this page and was not cleared. */
export function transferRows(
  { conversations }: Pick<ChatState, "conversations">,
  transfers: TransferState,
  cleared: ReadonlySet<string>,
): TransferRows {
  const open: FileMessage[] = [];
  const done: FileMessage[] = [];
  for (const conversation of Object.values(conversations)) {
    for (const message of conversation?.messages ?? []) {
      if (message.type !== "file" || cleared.has(message.key)) continue;
      const place = placeOf(message, transfers);
      if (place === "open") open.push(message);
      if (place === "done") done.push(message);
    }
  }
  const latestFirst = (a: FileMessage, b: FileMessage) => b.sortedAt - a.sortedAt;
  return { open: open.sort(latestFirst), done: done.sort(latestFirst) };
}

function placeOf({ transfers: states, file }: FileMessage, transfers: TransferState): "open" | "done" | null {
  const ends = Object.entries(states);
  if (ends.some(([, { status }]) => status === "transferring" || status === "paused")) return "open";
  const moved = ends.filter(([peer]) => transfers[transferKeyOf(peer, file.fid)] !== undefined);
  if (moved.some(([, { status }]) => status === "error")) return "open";
  return moved.some(([, { status }]) => status === "complete") ? "done" : null;
}

/** What moves now, in numbers. */
export interface TransferTotals {
  readonly count: number;
  /** 0 to 1, over all bytes of what moves. */
  readonly share: number;
  /** Null while unknown. */
  readonly receivedPerSecond: number | null;
  readonly sentPerSecond: number | null;
}

/** Sums up what moves now. */
export function transferTotals(transfers: TransferState): TransferTotals {
  const moving = Object.values(transfers).filter(({ state }) => state.status === "transferring");
  const total = moving.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  const through = moving.reduce((sum, { transferredBytes }) => sum + transferredBytes, 0);
  const speedOf = (mode: "send" | "receive"): number | null => {
    const speeds = moving.flatMap((one) => (one.mode === mode ? [one.bytesPerSecond] : []));
    const known = speeds.filter((speed) => speed !== null);
    return known.length === 0 ? null : known.reduce((sum, speed) => sum + speed, 0);
  };
  return {
    count: moving.length,
    share: total === 0 ? 0 : through / total,
    receivedPerSecond: speedOf("receive"),
    sentPerSecond: speedOf("send"),
  };
}
