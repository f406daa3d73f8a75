import { useEffect, useState } from "react";

const intervalMs = 1_000;

/**
 * Throttles a value that changes many times a second to one update a second, because numbers that change with every packet
 * are unreadable; null is applied at once.
 */
export function useSteady<T>(value: T | null): T | null {
  const [shown, setShown] = useState({ value, at: 0 });
  useEffect(() => {
    const now = performance.now();
    if ((value === null) === (shown.value === null) && now - shown.at < intervalMs) return;
    if (value !== shown.value) setShown({ value, at: now });
  }, [value, shown]);
  return value === null ? null : (shown.value ?? value);
}
