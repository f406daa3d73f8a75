import type { Environment } from "@warren/core";

const checkPeriodMs = 5_000;
/** Longer than the minute at which browsers run the timers of hidden tabs: only a machine that slept is later. */
const sleepGapMs = 75_000;

/** What happens around the page: the network returns, the page is shown again or goes, the machine wakes. */
export const browserEnvironment: Environment = {
  on: (type, listener) => (type === "wake" ? followWake(listener) : followGone(listener)),
};

function followWake(callback: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("online", () => callback(), { signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && callback(), {
    signal,
  });
  // Back from the cache of pages left by navigation.
  window.addEventListener("pageshow", (event) => event.persisted && callback(), { signal });

  let last = Date.now();
  const timer = setInterval(() => {
    const gapMs = Date.now() - last;
    last = Date.now();
    if (gapMs > sleepGapMs) callback();
  }, checkPeriodMs);

  return () => {
    listening.abort();
    clearInterval(timer);
  };
}

function followGone(callback: () => void): () => void {
  const listening = new AbortController();
  // One that is kept in the cache of pages may be shown again.
  const hide = (event: PageTransitionEvent): void => {
    if (!event.persisted) callback();
  };
  window.addEventListener("pagehide", hide, { signal: listening.signal });
  return () => listening.abort();
}
