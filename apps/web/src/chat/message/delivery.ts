import type { ChatMessage, Delivery } from "@warren/core";
import type { ClientId, ErrorDescription } from "@warren/protocol";
import { type FileOutcome, outcomeOf } from "../../file-state/file-state.ts";

/** The delivery state of my message over all recipients. */
type DeliverySummary =
  | { readonly status: "sending" }
  /** To everyone: nobody has got it yet, and whoever may have it gets it later. */
  | { readonly status: "kept" }
  | { readonly status: "received"; readonly received: number; readonly total: number }
  /** A file: a delivered offer says nothing about the file itself. */
  | { readonly status: "offered"; readonly outcomes: Readonly<Record<ClientId, FileOutcome>> }
  | { readonly status: "error"; readonly error: ErrorDescription };

/**
 * Whether the message itself failed. A file that was declined or could not be received was delivered as a
 * message: its card shows the outcome.
 */
function failure(message: ChatMessage, peer: string, delivery: Delivery): ErrorDescription | null {
  if (delivery.status !== "error") return null;
  const isAnswered = message.type === "file" && outcomeOf(message.offers[peer], true) !== "waiting";
  return isAnswered ? null : delivery.error;
}

/** Whether a recipient has yet to get an edit of the message, or its deletion. */
export function lacksChange({ unsentChanges }: ChatMessage, peer: ClientId): boolean {
  return unsentChanges?.[peer]?.some((kind) => kind !== "react") ?? false;
}

/** Sums up the delivery of my message over all recipients; one failure makes it failed. */
export function deliverySummary(message: ChatMessage): DeliverySummary {
  const deliveries = Object.entries(message.deliveries);
  let waiting = 0;
  for (const [peer, delivery] of deliveries) {
    const error = failure(message, peer, delivery);
    if (error !== null) return { status: "error", error };
    if (delivery.status === "sending" || lacksChange(message, peer)) waiting++;
  }
  const total = deliveries.length;
  if (total === 0) return { status: "kept" };
  // With several recipients it counts as pending until the first has it, then shows how many do.
  if (waiting > 0 && (total === 1 || waiting === total)) return { status: "sending" };
  if (message.type === "file") {
    const outcomes = deliveries.map(([peer]) => [peer, outcomeOf(message.offers[peer], true)] as const);
    return { status: "offered", outcomes: Object.fromEntries(outcomes) };
  }
  return { status: "received", received: total - waiting, total };
}

/**
 * What messages that share one line under their group have in common of their delivery. Files offered to
 * the same people share one line that sums up all outcomes.
 */
export function receiptGroupKey(message: ChatMessage): string {
  const summary = deliverySummary(message);
  return JSON.stringify(
    summary.status === "offered" ? ["offered", ...Object.keys(summary.outcomes).sort()] : summary,
  );
}

/** Each recipient's outcomes for the files of several offers, in order. */
export type OfferOutcomes = Readonly<Record<ClientId, readonly FileOutcome[]>>;

/** Combines each recipient's outcomes for files that were offered together. */
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
