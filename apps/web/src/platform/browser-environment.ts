import type { Environment } from "@warren/core";

const checkPeriodMs = 5_000;
/**
 * Longer than the minute at which browsers run the timers of hidden tabs: only a machine that slept is later.
 */
const sleepGapMs = 75_000;

/**
 * Chromium also reports each new estimate of the connection's speed as a change; most of them do not concern
 * the network. A wake restarts running attempts: if both sides woke more often, a slow attempt, of 10 s at
 * most, might never finish.
 */
const changePeriodMs = 30_000;

/** The Network Information API, which only some browsers have. */
interface NetworkInformation extends EventTarget {
  /** The kind of network, such as "wifi"; absent in desktop browsers. */
  readonly type?: string;
}

function networkInformation(): NetworkInformation | null {
  if (!("connection" in navigator)) return null;
  return navigator.connection instanceof EventTarget ? navigator.connection : null;
}

/** Calls back when the page may be on another network, even if it was never offline. */
function onNetworkChange(callback: () => void, signal: AbortSignal): void {
  window.addEventListener("online", callback, { signal });
  const network = networkInformation();
  let type = network?.type;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let later: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    reportedAt = performance.now();
    if (navigator.onLine) callback();
  };
  const changed = (): void => {
    const isOther = network?.type !== type;
    type = network?.type;
    const waitMs = isOther ? 0 : reportedAt + changePeriodMs - performance.now();
    clearTimeout(later);
    if (waitMs <= 0) report();
    else later = setTimeout(report, waitMs);
  };
  network?.addEventListener("change", changed, { signal });
  signal.addEventListener("abort", () => clearTimeout(later));
}

/**
 * Events around the page: the network returns or changes, the page is shown again or closed, the machine
 * wakes up.
 */
export const browserEnvironment: Environment = {
  on: (type, listener) => (type === "wake" ? followWake(listener) : followGone(listener)),
};

function followWake(callback: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  onNetworkChange(() => callback(), signal);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && callback(), {
    signal,
  });
  // Back from the cache of pages left by navigation.
  window.addEventListener("pageshow", (event) => event.persisted && callback(), { signal });

  // Elapsed time excludes sleep in some browsers; the time of day may be set back.
  const clocks = [() => Date.now(), () => performance.now()];
  let last = clocks.map((now) => now());
  const timer = setInterval(() => {
    const before = last;
    last = clocks.map((now) => now());
    if (last.some((now, index) => now - (before[index] ?? now) > sleepGapMs)) callback();
  }, checkPeriodMs);

  return () => {
    listening.abort();
    clearInterval(timer);
  };
}

function followGone(callback: () => void): () => void {
  const listening = new AbortController();
  // A page in the back/forward cache may be shown again.
  const hide = (event: PageTransitionEvent): void => {
    if (!event.persisted) callback();
  };
  window.addEventListener("pagehide", hide, { signal: listening.signal });
  return () => listening.abort();
}
