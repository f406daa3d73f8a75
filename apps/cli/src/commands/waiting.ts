import type { Waited } from "../terminal/events.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import { printable } from "../terminal/format.ts";
import type { Report } from "../terminal/report.ts";

/** How long somebody may be gone in the middle of a transfer. */
export const awayMinutes = 10;

/** What takes less long is not worth a word. */
const briefMs = 2_000;

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
        `${printable(waited.from)} did not come back. The same command goes on from here.`,
        exitCodes.interrupted,
      );
    if (this.#hasSaid || waitedMs < briefMs) return;
    this.#hasSaid = true;
    this.#report.event({ event: "waiting", ...waited });
  }
}
