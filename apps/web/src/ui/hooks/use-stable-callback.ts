import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that is the same in every render and does what the last one says. Not to be called while rendering. */
export function useStableCallback<Args extends readonly unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
