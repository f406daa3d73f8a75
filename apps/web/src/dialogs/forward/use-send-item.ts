import type { ClientId } from "@warren/protocol";
import { useCallback } from "react";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { openDialog } from "../open-dialog.tsx";
import type { ForwardItem } from "./forward-item.ts";
import { useDeliver } from "./use-deliver.ts";

const SendItemDialog = componentOnDemand(async () => (await import("./send-item-dialog.tsx")).SendItemDialog);

/** Asks what to send to one person, beginning with what is at hand, and sends it. @returns whether anything was sent. */
export function useSendItem(): (clientId: ClientId, items?: readonly ForwardItem[]) => Promise<boolean> {
  const deliver = useDeliver();
  return useCallback(
    async (clientId, items = []) => {
      const result = await openDialog(SendItemDialog, { clientId, items });
      return !result.cancelled && deliver(result.value, [clientId]);
    },
    [deliver],
  );
}
