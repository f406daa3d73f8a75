import type { Call, CallState } from "@warren/core";
import { useStore, useWarren } from "../ui/warren-context.tsx";

/** The call of the room; null until somebody shares something or the stage is opened. */
export function useCall(): Call | null {
  return useStore(useWarren().call.store);
}

/** What is shared in a call. */
export function useCallState(call: Call): CallState {
  return useStore(call.store);
}
