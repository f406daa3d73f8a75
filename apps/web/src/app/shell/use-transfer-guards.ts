import { useEffect } from "react";
import { useIsMoving } from "../../components/transfers/use-transfer-totals.ts";
import { useWarren } from "../../components/warren-context.tsx";
import { useWakeLock } from "../../hooks/use-wake-lock.ts";

/** While files move, keeps the screen on and asks before a page is closed that alone holds what it sends. */
export function useTransferGuards(): void {
  const { transfers, files } = useWarren();
  const isMoving = useIsMoving();
  useWakeLock(isMoving);
  useEffect(() => {
    if (!isMoving) return;
    const ask = (event: BeforeUnloadEvent): void => {
      const isLost = Object.values(transfers.store.getState()).some(
        ({ mode, state, fid }) =>
          mode === "send" && state.status === "transferring" && files.offered.isLostWithPage(fid),
      );
      if (!isLost) return;
      event.preventDefault();
      event.returnValue = true; // what Chromium before 119 goes by
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isMoving, transfers, files]);
}
