import { fetchCode } from "../../platform/import-code.ts";
import { loadAllOnDemand } from "../../ui/on-demand.tsx";

/** Fetches, once the page has drawn and is at rest, all code that would be fetched at its first use. */
export function prefetchAtRest(): void {
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  const start = (): void => {
    for (const address of laterChunks()) {
      fetchCode(new URL(address, location.origin).href).catch(() => {}); // asked for again at its first use
    }
    void loadAllOnDemand();
  };
  // Two frames: the first has drawn when the second begins.
  requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(start)));
}

/** The addresses that the build wrote into the page; none in development. */
function laterChunks(): readonly string[] {
  const list: unknown = JSON.parse(document.getElementById("later-chunks")?.textContent ?? "[]");
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
