import { useEffect, useState } from "react";
import { useWarren } from "../ui/warren-context.tsx";

/**
 * The bytes this browser may still store, queried once while `wanted`; null until known and if not reported.
 */
export function useFreeBytes(wanted: boolean): number | null {
  const { files } = useWarren();
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let isCurrent = true;
    // An unknown value is not an error worth showing: the offer is shown without it.
    files.freeBytes().then(
      (bytes) => isCurrent && setFreeBytes(bytes),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [files, wanted]);
  return freeBytes;
}
