import { useEffect, useState } from "react";
import { useWarren } from "../wiring/warren-context.tsx";

/**
 * The bytes this browser may still store, queried while `isWanted` and again when `usedBytes` changes; null until known and
 * if not reported.
 */
export function useFreeBytes(isWanted: boolean, usedBytes = 0): number | null {
  const { files } = useWarren();
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of usedBytes changes the free space
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    // An unknown value is not an error worth showing.
    files.freeBytes().then(
      (bytes) => isCurrent && setFreeBytes(bytes),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [files, isWanted, usedBytes]);
  return freeBytes;
}
