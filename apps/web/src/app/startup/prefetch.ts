import type { Warren } from "@warren/core";
import { fetchCode } from "../../platform/import-code.ts";
import { untilMet } from "../../room/meeting.ts";
import { loadAllOnDemand, type OnDemand } from "../../ui/on-demand.tsx";

/** A page may still start to connect to a peer this long after its first render. */
const settlingMs = 1_000;
/** The pause before code that nobody asks for, and so nobody retries, is fetched again. */
const retryMs = 10_000;

/** Resolves once meeting is over, at least a second after the first render. */
export async function untilSettled(room: Warren["room"]): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settlingMs));
  await untilMet(room);
}

/** Repeats a load until it succeeds. */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/**
 * Fetches all on-demand code once the page has rendered and is idle, that for files first.
 * @param needed code that runs by itself, so no use of it retries a failed fetch.
 */
export function prefetchWhenIdle(
  { room, chat }: Pick<Warren, "room" | "chat">,
  needed: OnDemand<unknown>,
): void {
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  const start = (): void => {
    chat.exchange.load().catch(() => {}); // retried on first use
    for (const address of laterChunks()) {
      fetchCode(new URL(address, location.origin).href).catch(() => {}); // retried on first use
    }
    void loadAllOnDemand();
    void untilLoaded(needed.load);
  };
  void untilSettled(room).then(() => whenIdle(start));
}

/** The chunk addresses that the build wrote into the page; none in development. */
function laterChunks(): readonly string[] {
  const list: unknown = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
