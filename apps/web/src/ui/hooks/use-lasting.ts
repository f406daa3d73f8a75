import { useEffect, useState } from "react";

/** Whether something has held for a time; at once if it did from the start. */
export function useLasting(holds: boolean, forMs: number): boolean {
  const [lasts, setLasts] = useState(holds);
  useEffect(() => {
    if (!holds) return setLasts(false);
    const timer = setTimeout(() => setLasts(true), forMs);
    return () => clearTimeout(timer);
  }, [holds, forMs]);
  return holds && lasts;
}
