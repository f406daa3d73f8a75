import { type ChatState, type FileMessage, type TransferSnapshots, transferKeyOf } from "@warren/core";
import { fileStateOf, fileStates, type TrayPlace } from "../../file-state/file-state.ts";
import { movingOf } from "./transfer-batch.ts";

/** The transfers of this page, in list order. */
export interface TransferRows {
  /** Active ones, then queued ones in queue order, then stalled or failed ones, latest first. */
  readonly open: readonly FileMessage[];
  /** Those completed since this tab was opened, latest first. */
  readonly done: readonly FileMessage[];
}

/** Sets of message keys that decide what is listed, besides the transfer states. */
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
  const ranks = new Map<FileMessage, number>();
  for (const conversation of Object.values(conversations)) {
    for (const message of conversation?.messages ?? []) {
      if (message.type !== "file" || cleared.has(message.key)) continue;
      const place = placeOf(message, transfers, earlier);
      if (place === "done") done.push(message);
      else if (place !== null) {
        open.push(message);
        ranks.set(message, openRanks[place]);
      }
    }
  }
  const latestFirst = (a: FileMessage, b: FileMessage) => b.sortedAt - a.sortedAt;
  const inOpenOrder = (a: FileMessage, b: FileMessage) => {
    const rank = ranks.get(a) ?? 0;
    const byTime = latestFirst(a, b);
    return rank - (ranks.get(b) ?? 0) || (rank === openRanks.queued ? -byTime : byTime);
  };
  return { open: open.sort(inOpenOrder), done: done.sort(latestFirst) };
}

const openRanks = { moving: 0, queued: 1, opening: 2, stalled: 2, failed: 2 } as const;
const order: readonly TrayPlace[] = ["moving", "queued", "opening", "stalled", "failed", "done"];

/** The first place of a file over all its recipients; null if it is not listed. */
function placeOf(
  { key, client, transfers: states, file }: FileMessage,
  transfers: TransferSnapshots,
  earlier: ReadonlySet<string>,
): TrayPlace | null {
  const places = Object.entries(states).map(([peer, state]) => {
    const transfer = transfers[transferKeyOf(peer, file.fid)];
    const { tray } = fileStates[fileStateOf(state, peer !== client, { transfer })];
    const hasMoved = transfer !== undefined;
    if (tray === "failed") return hasMoved ? tray : null;
    return tray === "done" && !hasMoved && !earlier.has(key) ? null : tray;
  });
  return order.find((place) => places.includes(place)) ?? null;
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
