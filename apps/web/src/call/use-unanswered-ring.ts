import { type Call, isWithOthers, type OutgoingRing } from "@warren/core";
import { useOptionalStore, useStore, useWarren } from "../wiring/warren-context.ts";

/** Whom I call, until the first of them joins; null otherwise. */
export function useUnansweredRing(call: Call | null): OutgoingRing | null {
  const outgoing = useStore(useWarren().call.ringing.store, (state) => state.outgoing);
  const hasBegun = useOptionalStore(call?.store, isWithOthers) === true;
  return hasBegun ? null : outgoing;
}
