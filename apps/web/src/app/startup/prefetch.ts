import { peersOf, type Warren } from "@warren/core";
import { fetchCode } from "../../platform/import-code.ts";
import { loadAllOnDemand } from "../../ui/on-demand.tsx";

/** A page that waits longer for whom it meets is idle meanwhile. */
const meetingMs = 3_000;

/** Fetches, once the page has drawn and is idle, all code that would be fetched at its first use. */
export function prefetchAtRest({ room }: Pick<Warren, "room">): void {
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  const start = (): void => {
    for (const address of laterChunks()) {
      fetchCode(new URL(address, location.origin).href).catch(() => {}); // asked for again at its first use
    }
    void loadAllOnDemand();
  };
  // What nobody waits for must not take the processor from a meeting under way.
  void untilMet(room).then(() => {
    // Two frames: the first has drawn when the second begins.
    requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(start)));
  });
}

/** Resolves once everybody in the room is connected, or will not be soon. */
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
    // A room that was just joined does not know its members yet.
    const look = (): void => queueMicrotask(() => !isMeeting() && end());
    const stop = room.store.subscribe(look);
    look();
  });
}

/** The addresses that the build wrote into the page; none in development. */
function laterChunks(): readonly string[] {
  const list: unknown = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
