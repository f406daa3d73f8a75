import { useEffect } from "react";
import { useStore } from "zustand";
import { draftStore, hasAttachments } from "../../chat/drafts.ts";
import { useIsMoving } from "../../files/transfers/use-transfer-totals.ts";
import { useWakeLock } from "../../ui/use-wake-lock.ts";
import { useWarren } from "../../ui/warren-context.tsx";

/**
 * Asks before a page is closed that alone holds something: files that it is sending, or that are attached to a message.
 * While files move, keeps the screen on too.
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
