import { useState } from "react";
import { useAbortableEffect } from "../ui/hooks/use-abortable-effect.ts";
import { useWarren } from "../wiring/warren-context.ts";

/**
 * The bytes this browser may still store, queried while `isWanted` and again when `usedBytes` changes; null until known and
 * if not reported.
 */
export function useFreeBytes(isWanted: boolean, usedBytes = 0): number | null {
  const { files } = useWarren();
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of usedBytes changes the free space
  useAbortableEffect(
    (signal) => {
      if (!isWanted) return;
      // An unknown value is not an error worth showing.
      files.freeBytes().then(
        (bytes) => !signal.aborted && setFreeBytes(bytes),
        () => {},
      );
    },
    [files, isWanted, usedBytes],
  );
  return freeBytes;
}
