import { useEffect } from "react";
import { useStore } from "zustand";
import { draftStore, hasAttachments } from "../../chat/drafts.ts";
import { useIsMoving } from "../../files/transfers/use-transfer-totals.ts";
import { useWakeLock } from "../../ui/use-wake-lock.ts";
import { useWarren } from "../../ui/warren-context.tsx";

/**
 * Asks before closing a page that alone holds files, either being sent or attached to a message. Also keeps
 * the screen on while files move.
 */
export function useLeaveGuard(): void {
  const { transfers, files } = useWarren();
  const isMoving = useIsMoving();
  const isAttached = useStore(draftStore, hasAttachments);
  useWakeLock(isMoving);
  useEffect(() => {
    if (!isMoving && !isAttached) return;
    const ask = (event: BeforeUnloadEvent): void => {
      const isLost =
        isAttached ||
        Object.values(transfers.store.getState()).some(
          ({ mode, state, fid }) =>
            mode === "send" && state.status === "transferring" && files.offered.isLostWithPage(fid),
        );
      if (!isLost) return;
      event.preventDefault();
      event.returnValue = true; // what Chromium before 119 goes by
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isMoving, isAttached, transfers, files]);
}
