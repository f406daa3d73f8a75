import type { Warren } from "@warren/core";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { sendToTargets } from "./send-to-targets.ts";

const ForwardDialog = lazyWithPreload(() => import("./forward-dialog.tsx"));

/**
 * Asks for the recipients of items and sends them.
 * @returns whether anything was sent.
 */
export async function forward(warren: Warren, items: readonly ForwardItem[]): Promise<boolean> {
  const result = await openDialog(ForwardDialog, { items });
  if (result.cancelled) return false;
  const { targets, room } = result.value;
  return (await sendToTargets(warren, items, targets, room)).wasSent;
}
