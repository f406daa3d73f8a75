import { useEffect, useState } from "react";

/** The time in ms since the epoch, read again every `everyMs` while it `runs`. */
export function useClock(everyMs: number, runs = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, runs]);
  return now;
}
