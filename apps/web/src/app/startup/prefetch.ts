import { peersOf, type Warren } from "@warren/core";
import { fetchCode } from "../../platform/import-code.ts";
import { loadAllOnDemand } from "../../ui/on-demand.tsx";

/** A page that waits longer than this for its peers counts as idle. */
const meetingMs = 3_000;

/** Fetches all on-demand code once the page has rendered and is idle. */
export function prefetchAtRest({ room }: Pick<Warren, "room">): void {
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  const start = (): void => {
    for (const address of laterChunks()) {
      fetchCode(new URL(address, location.origin).href).catch(() => {}); // asked for again at its first use
    }
    void loadAllOnDemand();
  };
  // Prefetching must not take CPU time from a connection being set up.
  void untilMet(room).then(() => {
    // Two frames: the first has been painted when the second starts.
    requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(start)));
  });
}

/** Resolves once every peer in the room is connected, or will not be soon. */
function untilMet(room: Warren["room"]): Promise<void> {
  const isMeeting = (): boolean => {
    const state = room.store.getState();
    return (
      state.status === "connecting" ||
      Object.values(peersOf(state)).some(({ session }) => session === "created" || session === "connecting")
    );
  };
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, meetingMs);
    // A newly joined room does not know its members yet.
    const look = (): void => queueMicrotask(() => !isMeeting() && end());
    const stop = room.store.subscribe(look);
    look();
  });
}

/** The chunk addresses that the build wrote into the page; none in development. */
function laterChunks(): readonly string[] {
  const list: unknown = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
