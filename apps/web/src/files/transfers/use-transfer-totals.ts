import { useSyncExternalStore } from "react";
import { useShallow } from "zustand/react/shallow";
import { onDemand } from "../../ui/on-demand.tsx";
import { useStore, useWarren } from "../../ui/warren-context.tsx";

/** Sums transfers up. Until it is there, nothing is shown as moving: a file has to be offered and accepted first. */
export const transferBatch = onDemand(() => import("./transfer-batch.ts"));

/**
 * The number of active transfers and their overall progress in whole percent; re-renders only when one of
 * them changes.
 */
export function useTransferTotals(): { readonly count: number; readonly fraction: number } {
  const { chat, transfers } = useWarren();
  const batch = useTransferBatch();
  return useStore(
    transfers.store,
    useShallow((state) => {
      if (batch === undefined) return { count: 0, fraction: 0 };
      // New messages do not re-render: the next progress update includes them.
      const fraction = batch.totalProgress(state, chat.store.getState().conversations) ?? 0;
      return { count: batch.movingOf(state).length, fraction: Math.floor(fraction * 100) / 100 };
    }),
  );
}

/** {@link transferBatch}, as soon as it is there. */
export function useTransferBatch() {
  return useSyncExternalStore(transferBatch.subscribe, transferBatch.get);
}
