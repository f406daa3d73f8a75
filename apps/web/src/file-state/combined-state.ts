import { type FileMessage, transferKeyOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import {
  type FileOutcome,
  type FileState,
  fileStateOf,
  fileStates,
  type Known,
  outcomeOf,
} from "./file-state.ts";
import type { LiveTransfers } from "./live-transfers.ts";

const precedence = Object.keys(fileStates) as readonly FileState[];

/** One state for several: the first of {@link fileStates} that any of them is in; null without any. */
export function combinedState(states: readonly FileState[]): FileState | null {
  return precedence.find((state) => states.includes(state)) ?? null;
}

/** As {@link combinedState}, for the outcomes of several files for one peer. */
export function wholeOutcome(outcomes: readonly FileOutcome[]): FileOutcome {
  const first = precedence.find((state) => outcomes.includes(fileStates[state].outcome)) ?? "offered";
  return fileStates[first].outcome;
}

/** The state of an offered file with each of its recipients, or with its sender. */
export function fileStatesOf(
  { client, file, offers }: Pick<FileMessage, "client" | "file" | "offers">,
  live: LiveTransfers,
  loss: Known["loss"] = null,
): Readonly<Record<ClientId, FileState>> {
  const states = Object.entries(offers).map(([peer, offer]) => {
    const transfer = live.transfers.get(transferKeyOf(peer, file.fid));
    return [peer, fileStateOf(offer, peer !== client, { transfer, isHere: live.here.has(peer), loss })];
  });
  return Object.fromEntries(states);
}

/** Whether an offered file is complete: a recipient has it, and none is left to receive it. An offer to nobody is complete. */
export function isCompleteFile(offers: FileMessage["offers"], isMine: boolean): boolean {
  const outcomes = Object.values(offers).map((one) => outcomeOf(one, isMine));
  return outcomes.length === 0 || wholeOutcome(outcomes) === "complete";
}
