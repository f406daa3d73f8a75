import {
  type ChatState,
  type FileMessage,
  type KeyValueStorage,
  type MessageKey,
  type TransferSnapshots,
  transferKeyOf,
  type Warren,
} from "@warren/core";
import { createStore } from "zustand/vanilla";
import { combinedState, fileStatesOf, type Live } from "../../file-state/combined-state.ts";
import { fileStates, type TrayPlace } from "../../file-state/file-state.ts";
import { liveOf } from "../use-live.ts";
import { movingOf } from "./transfer-batch.ts";

const storageKey = "transfers_done";
/** The latest of them survive a reload. */
const keptMax = 100;

/** The transfers of this page, in list order. */
interface TransferRows {
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

/** Kept until the page closes, even if the tray is reopened. */
export const transferMarks = createStore<Marks>(() => ({ cleared: new Set(), earlier: new Set() }));
let recalledFrom: KeyValueStorage | null = null;

/**
 * The content of the tray: active transfers of all conversations, and those that ended in this tab and were
 * not cleared.
 */
export function transferRows(
  { conversations }: Pick<ChatState, "conversations">,
  live: Live,
  { cleared, earlier }: Marks,
): TransferRows {
  const open: FileMessage[] = [];
  const done: FileMessage[] = [];
  const ranks = new Map<FileMessage, number>();
  for (const conversation of Object.values(conversations)) {
    for (const message of conversation?.messages ?? []) {
      if (message.type !== "file" || cleared.has(message.key)) continue;
      const place = placeOf(message, live, earlier);
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

/** The place of a file, of all recipients with whom it is listed; null if there are none. */
function placeOf(message: FileMessage, live: Live, earlier: ReadonlySet<string>): TrayPlace | null {
  const { key, file } = message;
  const listed = Object.entries(fileStatesOf(message, live)).flatMap(([peer, state]) => {
    const { tray } = fileStates[state];
    const startedAt = live.transfers.get(transferKeyOf(peer, file.fid))?.startedAt ?? null;
    const isListed = startedAt !== null || (tray === "done" ? earlier.has(key) : tray !== "failed");
    return tray !== null && isListed ? [state] : [];
  });
  const state = combinedState(listed);
  return state && fileStates[state].tray;
}

/** Clears completed transfers. */
export function clearTransfers(done: TransferRows["done"]): void {
  transferMarks.setState(({ cleared }) => ({
    cleared: new Set([...cleared, ...done.map(({ key }) => key)]),
  }));
}

/**
 * Restores, once, the completed transfers from when this tab's page last closed, and saves them on every
 * later close.
 */
export function recallDoneTransfers(
  { chat, room, transfers }: Pick<Warren, "chat" | "room" | "transfers">,
  tabStorage: KeyValueStorage,
): void {
  if (recalledFrom === tabStorage) return;
  recalledFrom = tabStorage;
  const keys = storedKeys(tabStorage);
  transferMarks.setState({ earlier: new Set(keys) });
  // Without their messages they are not listed.
  const load = () => void chat.loadFiles(keys).catch(() => {});
  if (chat.store.getState().loaded) load();
  else {
    const stop = chat.store.subscribe(({ loaded }) => {
      if (!loaded) return;
      stop();
      load();
    });
  }
  addEventListener("pagehide", () => {
    const live = liveOf(room.store.getState(), transfers.store.getState());
    const { done } = transferRows(chat.store.getState(), live, transferMarks.getState());
    const keys = done.slice(0, keptMax).map(({ key }) => key);
    if (keys.length > 0) tabStorage.write(storageKey, JSON.stringify(keys));
    else tabStorage.remove(storageKey);
  });
}

function storedKeys(tabStorage: KeyValueStorage): readonly MessageKey[] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((key): key is MessageKey => typeof key === "string") : [];
  } catch {
    return [];
  }
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
