import { isLive, type OfferSide, type TransferSnapshot, type TransferState } from "@warren/core";
import type { Item, Waited } from "../terminal/events.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import { printable } from "../terminal/format.ts";
import type { Report } from "../terminal/report.ts";

/** How long somebody may be gone in the middle of a transfer. */
export const awayMinutes = 10;

/** What takes less long is not worth a word. */
const briefMs = 2_000;

/** What a file waits for that has been offered, and who has to do something about that. */
interface OfferAtWork {
  readonly side: OfferSide;
  readonly now: TransferState | undefined;
  readonly transfer: TransferSnapshot | undefined;
  /** Whether the other side can be sent to. */
  readonly isHere: boolean;
  /** That of the other side. */
  readonly name: string;
  readonly item: Item;
}

/** What has to happen before an offer goes on; null while it does. */
export function waitedFor({ side, now, transfer, isHere, name, item }: OfferAtWork): Waited | null {
  const rest = { for: "rest", from: name, ...item } as const;
  if (now?.state === "needsSpace") return { for: "space", from: side === "receiver" ? null : name, ...item };
  if (isLive(now)) {
    if (now.state !== "running" || transfer === undefined) return null;
    const { transferredBytes, totalBytes, mergingProgress, isSilent } = transfer;
    if (mergingProgress !== null) return { for: "disk", from: null, ...item };
    // Whoever sends nothing, or confirms nothing, for so long may never go on.
    if (isSilent) return { ...rest, minutes: awayMinutes };
    const isTheirTurn = side === "sender" && transferredBytes === totalBytes;
    return isTheirTurn ? { for: "disk", from: name, ...item } : null;
  }
  if (!isHere) return { ...rest, minutes: awayMinutes };
  if (now?.state === "offered") return side === "sender" ? { for: "answer", from: name, ...item } : null;
  return { ...rest, minutes: null };
}

/** Says what a command waits for, once for each, and for how long. */
export class Waiting {
  readonly #report: Pick<Report, "event">;
  #what = "";
  #sinceMs = 0;
  #hasSaid = false;

  constructor(report: Pick<Report, "event">) {
    this.#report = report;
  }

  /**
   * Called at least once a second.
   * @param waited null: for nothing but ourselves
   * @throws CommandError once somebody has been gone for too long
   */
  note(waited: Waited | null, nowMs = performance.now()): void {
    const what = JSON.stringify(waited);
    if (what !== this.#what) {
      this.#what = what;
      this.#sinceMs = nowMs;
      this.#hasSaid = false;
    }
    if (waited === null) return;
    const waitedMs = nowMs - this.#sinceMs;
    if (waited.for === "rest" && waited.minutes !== null && waitedMs >= waited.minutes * 60_000)
      throw new CommandError(
        `${printable(waited.from)} did not go on. The same command goes on from here.`,
        exitCodes.interrupted,
      );
    if (this.#hasSaid || waitedMs < briefMs) return;
    this.#hasSaid = true;
    this.#report.event({ event: "waiting", ...waited });
  }
}
