import type { ConversationId, Warren } from "@warren/core";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { sendToTargets } from "./send-to-targets.ts";

const SendItemDialog = lazyWithPreload(() => import("./send-item-dialog.tsx"));

/**
 * Asks what to send to one peer or everyone, starting with the given items, and sends it. Asks again, with what was not sent,
 * until everything was or the user cancels: a text written there exists nowhere else.
 * @returns whether everything was sent.
 */
export async function sendItem(
  warren: Warren,
  conversationId: ConversationId,
  items: readonly ForwardItem[] = [],
): Promise<boolean> {
  const { room } = warren.chat.store.getState();
  let unsent = items;
  do {
    const result = await openDialog(SendItemDialog, { conversationId, items: unsent });
    if (result.cancelled) return false;
    unsent = (await sendToTargets(warren, result.value, [conversationId], room)).unsent;
  } while (unsent.length > 0);
  return true;
}
