import type { Warren } from "@warren/core";
import { delay } from "../../platform/delay.ts";
import { untilMet } from "../../room/meeting.ts";
import { preloadAll } from "../../wiring/lazy-with-preload.ts";

/** A page may still start to connect to a peer this long after its first render. */
const settlingMs = 1_000;
/** The pause before code that did not arrive is fetched again. */
const retryMs = 10_000;

/** Resolves once meeting is over, at least a second after the first render. */
export async function untilSettled(room: Warren["room"]): Promise<void> {
  await delay(settlingMs);
  await untilMet(room);
}

/** Resolves once meeting is over and the page has nothing to do. */
export async function untilIdle(room: Warren["room"]): Promise<void> {
  await untilSettled(room);
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  await new Promise<void>((resolve) => whenIdle(() => resolve()));
}

/**
 * Fetches and evaluates all code that has not been used yet: then nothing waits when it is used, and everything opens
 * offline. Fetched before it is imported, because browsers remember a failed import but not a failed fetch.
 */
export async function fetchLaterCode({ chat }: Pick<Warren, "chat">): Promise<void> {
  while (!(await Promise.all(laterChunks().map(isFetched))).every(Boolean)) await delay(retryMs);
  await Promise.allSettled([chat.exchange.load(), preloadAll()]); // used again, they report it
}

async function isFetched(address: string): Promise<boolean> {
  try {
    const response = await fetch(address);
    await response.arrayBuffer(); // a response that is not read to its end is not cached
    return response.ok;
  } catch {
    return false;
  }
}

/** The chunk addresses that the build wrote into the page; none in development. */
function laterChunks(): readonly string[] {
  const list: unknown = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
