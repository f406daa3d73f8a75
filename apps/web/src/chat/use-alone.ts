import { useStore, useWarren } from "../ui/warren-context.tsx";

/** Whether no active peer is in our room; peers whose session has ended do not count. */
export function useAlone(): boolean {
  return useStore(
    useWarren().room.store,
    (state) =>
      state.status === "connected" && Object.values(state.peers).every(({ session }) => session === "closed"),
  );
}
