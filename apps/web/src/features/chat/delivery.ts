import type { ChatMessage, Delivery } from "@warren/core";
import type { ErrorDescription } from "@warren/protocol";

/** How a message of mine stands with all it went to. */
export type DeliverySummary =
  | { readonly status: "sending" }
  | { readonly status: "received"; readonly received: number; readonly total: number }
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
  return { status: "received", received: total - waiting, total };
}
