import { useShallow } from "zustand/react/shallow";
import { useStore, useWarren } from "../warren-context.tsx";
import { transferTotals } from "./transfer-rows.ts";

/** How many transfers move and how far they are, in whole percent: drawn again only when one of the two changes. */
export function useTransferTotals(): { readonly count: number; readonly share: number } {
  return useStore(
    useWarren().transfers.store,
    useShallow((state) => {
      const { count, share } = transferTotals(state);
      return { count, share: Math.floor(share * 100) / 100 };
    }),
  );
}

/** Whether any transfer moves; not drawn again as it goes on. */
export function useIsMoving(): boolean {
  return useStore(useWarren().transfers.store, (state) => transferTotals(state).count > 0);
}
