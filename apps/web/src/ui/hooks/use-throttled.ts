import { useEffect, useState } from "react";

const intervalMs = 1_000;

/**
 * Throttles a value that changes many times a second to one update a second, because numbers that change with every packet
 * are unreadable; null is applied at once.
 */
export function useThrottled<T>(value: T | null): T | null {
  const [shown, setShown] = useState({ value, at: 0 });
  useEffect(() => {
    if (value === shown.value) return;
    const isThrottled = value !== null && shown.value !== null;
    const waitMs = isThrottled ? shown.at + intervalMs - performance.now() : 0;
    const show = (): void => setShown({ value, at: performance.now() });
    if (waitMs <= 0) {
      show();
      return;
    }
    // No later value may follow: this one is shown then.
    const timer = setTimeout(show, waitMs);
    return () => clearTimeout(timer);
  }, [value, shown]);
  return value === null ? null : (shown.value ?? value);
}
