interface Throttled<T> {
  (value: T): void;
  /** Ends the reports; a value that still waits is dropped. */
  stop(): void;
}

/** Reports a value at most once per interval: the first one at once, then the latest when the interval is over. */
export function throttled<T>(report: (value: T) => void, intervalMs: number): Throttled<T> {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let later: ReturnType<typeof setTimeout> | undefined;
  const take = (value: T): void => {
    clearTimeout(later);
    const waitMs = reportedAt + intervalMs - performance.now();
    if (waitMs > 0) {
      later = setTimeout(take, waitMs, value);
      return;
    }
    reportedAt = performance.now();
    report(value);
  };
  return Object.assign(take, { stop: () => clearTimeout(later) });
}
