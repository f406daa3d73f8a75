import { useShallow } from "zustand/react/shallow";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { movingOf, totalProgress } from "./transfer-batch.ts";

/**
 * The number of active transfers and their overall progress in whole percent; re-renders only when one of
 * them changes.
 */
export function useTransferTotals(): { readonly count: number; readonly fraction: number } {
  const { chat, transfers } = useWarren();
  return useStore(
    transfers.store,
    useShallow((state) => {
      // New messages do not re-render: the next progress update includes them.
      const fraction = totalProgress(state, chat.store.getState().conversations) ?? 0;
      return { count: movingOf(state).length, fraction: Math.floor(fraction * 100) / 100 };
    }),
  );
}
