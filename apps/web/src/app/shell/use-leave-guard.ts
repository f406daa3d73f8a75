import { useEffect } from "react";
import { movingOf } from "../../files/transfers/transfer-batch.ts";
import { isEndAgreed } from "../../platform/storage/next-load.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useWakeLock } from "../../ui/hooks/use-wake-lock.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";

/**
 * Asks before closing a page with data that exists nowhere else: files being sent or attached to a message,
 * or messages rejected by storage. Also keeps the screen on while files move.
 */
export function useLeaveGuard(): void {
  const { transfers, files, chat } = useWarren();
  const { drafts } = useTab();
  const isMoving = useStore(transfers.store, (state) => movingOf(state).length > 0);
  const isAttached = useStore(drafts.store, () => drafts.hasAttachments());
  const isUnsaved = useStore(chat.store, ({ unsaved }) => unsaved > 0);
  useWakeLock(isMoving);
  useEffect(() => {
    if (!isMoving && !isAttached && !isUnsaved) return;
    const ask = (event: BeforeUnloadEvent): void => {
      const isLost =
        isAttached ||
        isUnsaved ||
        movingOf(transfers.store.getState()).some(
          ({ mode, fid }) => mode === "send" && files.offered.isLostWithPage(fid),
        );
      if (!isLost || isEndAgreed()) return;
      event.preventDefault();
      event.returnValue = true; // required by Chromium before 119
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isMoving, isAttached, isUnsaved, transfers, files]);
}
