import { useStore, useWarren } from "../ui/warren-context.tsx";

/** Whether we are in a room with nobody else in it, or only people whose session is over. */
export function useAlone(): boolean {
  return useStore(
    useWarren().room.store,
    (state) =>
      state.status === "connected" && Object.values(state.peers).every(({ session }) => session === "closed"),
  );
}
