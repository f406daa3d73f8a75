import { useShallow } from "zustand/react/shallow";
import { useStore, useWarren } from "../../ui/warren-context.tsx";
import { movingOf, shareOfAll } from "./transfer-batch.ts";

/** How many transfers move and how far they are, in whole percent: drawn again only when one of the two changes. */
export function useTransferTotals(): { readonly count: number; readonly share: number } {
  const { chat, transfers } = useWarren();
  return useStore(
    transfers.store,
    useShallow((state) => {
      // What is said meanwhile draws nothing: the next step of what moves looks again.
      const share = shareOfAll(state, chat.store.getState().conversations) ?? 0;
      return { count: movingOf(state).length, share: Math.floor(share * 100) / 100 };
    }),
  );
}

/** Whether any transfer moves; not drawn again as it goes on. */
export function useIsMoving(): boolean {
  return useStore(useWarren().transfers.store, (state) => movingOf(state).length > 0);
}
