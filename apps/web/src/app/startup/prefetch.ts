import type { Warren } from "@warren/core";
import { fetchCode } from "../../platform/import-code.ts";
import { untilMet } from "../../room/meeting.ts";
import { loadAllOnDemand } from "../../ui/on-demand.tsx";

/** How long after its first render a page may still start to connect to a peer. */
const settlingMs = 1_000;

/** Resolves once whoever opened the page has met, or has had a second to answer whether to join and is not joining. */
export async function untilSettled(room: Warren["room"]): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settlingMs));
  await untilMet(room);
}

/** Fetches all on-demand code once the page has rendered and is idle, that for files first. */
export function prefetchWhenIdle({ room, chat }: Pick<Warren, "room" | "chat">): void {
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  const start = (): void => {
    chat.exchange.load().catch(() => {}); // retried on first use
    for (const address of laterChunks()) {
      fetchCode(new URL(address, location.origin).href).catch(() => {}); // retried on first use
    }
    void loadAllOnDemand();
  };
  void untilSettled(room).then(() => whenIdle(start));
}

/** The chunk addresses that the build wrote into the page; none in development. */
function laterChunks(): readonly string[] {
  const list: unknown = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
