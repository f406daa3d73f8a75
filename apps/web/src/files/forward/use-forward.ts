import { useCallback } from "react";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { openDialog } from "../../ui/open-dialog.tsx";
import type { ForwardItem } from "./forward-item.ts";
import { useDeliver } from "./use-deliver.ts";

const ForwardDialog = componentOnDemand(async () => (await import("./forward-dialog.tsx")).ForwardDialog);

/**
 * Asks for the recipients of items and sends them.
 * @returns whether anything was sent.
 */
export function useForward(): (items: readonly ForwardItem[]) => Promise<boolean> {
  const deliver = useDeliver();
  return useCallback(
    async (items) => {
      const result = await openDialog(ForwardDialog, { items });
      return !result.cancelled && deliver(items, result.value);
    },
    [deliver],
  );
}
