import type { ConversationId } from "@warren/core";
import { useCallback } from "react";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { openDialog } from "../../ui/open-dialog.tsx";
import type { ForwardItem } from "./forward-item.ts";
import { useDeliver } from "./use-deliver.ts";

const SendItemDialog = componentOnDemand(async () => (await import("./send-item-dialog.tsx")).SendItemDialog);

/**
 * Asks what to send to one peer or everyone, starting with the given items, and sends it.
 * @returns whether anything was sent.
 */
export function useSendItem(): (
  conversationId: ConversationId,
  items?: readonly ForwardItem[],
) => Promise<boolean> {
  const deliver = useDeliver();
  return useCallback(
    async (conversationId, items = []) => {
      const result = await openDialog(SendItemDialog, { conversationId, items });
      return !result.cancelled && deliver(result.value, [conversationId]);
    },
    [deliver],
  );
}
