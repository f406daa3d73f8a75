import { type ChatState, type FileMessage, transferKeyOf } from "@warren/core";
import { combinedState, fileStatesOf } from "./combined-state.ts";
import { fileStates, type TraySection } from "./file-state.ts";
import { givenOfferOf } from "./given-offer.ts";
import type { LiveTransfers } from "./live-transfers.ts";

/** The transfers of this page, in list order. */
export interface TransferRows {
  /** Active ones, then queued ones in queue order, then stalled or failed ones, latest first. */
  readonly open: readonly FileMessage[];
  /** Those completed since this tab was opened, latest first. */
  readonly done: readonly FileMessage[];
}

/** Sets of message keys that decide what is listed, besides the transfer states. */
export interface TransferMarks {
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
  live: LiveTransfers,
  { cleared, earlier }: TransferMarks,
): TransferRows {
  const open: FileMessage[] = [];
  const done: FileMessage[] = [];
  const ranks = new Map<FileMessage, number>();
  const files = Object.values(conversations).flatMap((conversation) =>
    (conversation?.messages ?? []).filter((message) => message.type === "file"),
  );
  const given = new Set(files.map(givenOfferOf));
  for (const message of files) {
    if (cleared.has(message.key) || given.has(message.key)) continue;
    const section = sectionOf(message, live, earlier);
    if (section === "done") done.push(message);
    else if (section !== null) {
      open.push(message);
      ranks.set(message, openRanks[section]);
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

/** The section of a file, of all recipients with whom it is listed; null if there are none. */
function sectionOf(
  message: FileMessage,
  live: LiveTransfers,
  earlier: ReadonlySet<string>,
): TraySection | null {
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
