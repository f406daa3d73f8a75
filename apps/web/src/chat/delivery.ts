import type { ChatMessage, Delivery } from "@warren/core";
import type { ClientId, ErrorDescription } from "@warren/protocol";
import { type FileOutcome, fileOutcome } from "../files/file-outcome.ts";

/** How a message of mine stands with all it went to. */
export type DeliverySummary =
  | { readonly status: "sending" }
  | { readonly status: "received"; readonly received: number; readonly total: number }
  /** A file: that its offer came says nothing of the file. */
  | { readonly status: "offered"; readonly outcomes: Readonly<Record<ClientId, FileOutcome>> }
  | { readonly status: "error"; readonly error: ErrorDescription };

/**
 * Whether a delivery failed as a message. A file that its receiver declined or could not take was delivered: its
 * card says what became of it.
 */
function failure(message: ChatMessage, peer: string, delivery: Delivery): ErrorDescription | null {
  if (delivery.status !== "error") return null;
  const isAnswered = message.type === "file" && message.transfers[peer]?.status !== "init";
  return isAnswered ? null : delivery.error;
}

/** Sums up a message of mine over everyone it went to: one failure is a failure. */
export function deliverySummary(message: ChatMessage): DeliverySummary {
  const deliveries = Object.entries(message.deliveries);
  let waiting = 0;
  for (const [peer, delivery] of deliveries) {
    const error = failure(message, peer, delivery);
    if (error !== null) return { status: "error", error };
    if (delivery.status === "sending") waiting++;
  }
  const total = deliveries.length;
  // To several people it is on its way until the first has it, and then says how many have.
  if (waiting > 0 && (total === 1 || waiting === total)) return { status: "sending" };
  if (message.type === "file") {
    const outcomes = deliveries.map(([peer]) => [peer, fileOutcome(message.transfers[peer], true)] as const);
    return { status: "offered", outcomes: Object.fromEntries(outcomes) };
  }
  return { status: "received", received: total - waiting, total };
}

/**
 * What the line under a group says of how a message of mine was delivered: messages that differ in it cannot share
 * one. Files offered to the same people share theirs, which tells what became of all of them.
 */
export function deliveryMark(message: ChatMessage): string {
  const summary = deliverySummary(message);
  return JSON.stringify(
    summary.status === "offered" ? ["offered", ...Object.keys(summary.outcomes).sort()] : summary,
  );
}

/** What each person did with the files of some offers, in their order. */
export type OfferOutcomes = Readonly<Record<ClientId, readonly FileOutcome[]>>;

/** Puts together what each did with files that were offered together. */
export function outcomesOfAll(offers: readonly ChatMessage[]): OfferOutcomes {
  const all: Record<ClientId, FileOutcome[]> = {};
  for (const message of offers) {
    const summary = deliverySummary(message);
    if (summary.status !== "offered") continue;
    for (const [peer, outcome] of Object.entries(summary.outcomes)) {
      all[peer] ??= [];
      all[peer].push(outcome);
    }
  }
  return all;
}
