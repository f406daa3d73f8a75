import type { TransferSnapshot } from "@warren/core";
import { fileStateOfTransfer, fileStates } from "./file-state.ts";

/** An event of a transfer that people are told of. */
export type Milestone = "started" | "progress" | "complete" | "failed";

const quarters = [0.75, 0.5, 0.25];

function quarterOf({ transferredBytes, totalBytes }: TransferSnapshot): number {
  const fraction = totalBytes === 0 ? 0 : transferredBytes / totalBytes;
  return quarters.find((quarter) => fraction >= quarter) ?? 0;
}

/** The announced event between two states of a transfer; null if there is none. */
export function milestoneOf(before: TransferSnapshot | undefined, now: TransferSnapshot): Milestone | null {
  const former = before && fileStates[fileStateOfTransfer(before)];
  const { outcome, tray } = fileStates[fileStateOfTransfer(now)];
  if (outcome !== former?.outcome) {
    // A person's decision is not a failure.
    if (outcome === "complete" || outcome === "failed") return outcome;
  }
  if (tray !== "moving") return null;
  // One that has moved before queues again when it resumes.
  const resumes = former?.tray === "queued" && before !== undefined && before.startedAt !== null;
  const wasOpen = former?.tray === "moving" || former?.tray === "stalled" || resumes;
  if (!wasOpen) return "started";
  return before !== undefined && quarterOf(now) > quarterOf(before) ? "progress" : null;
}
