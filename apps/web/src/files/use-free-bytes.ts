import { useEffect, useState } from "react";
import { useWarren } from "../ui/warren-context.tsx";

/** The bytes this browser may still store, asked once while `wanted`; null until known and where it is not said. */
export function useFreeBytes(wanted: boolean): number | null {
  const { files } = useWarren();
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let isCurrent = true;
    // Not knowing is no failure to tell: the offer stands without the figure.
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
