import type { Warren } from "@warren/core";
import { hasDrafts } from "../../chat/drafts.ts";
import { movingOf } from "../../files/transfers/transfer-batch.ts";
import { isOccupied } from "../../ui/occupied.ts";

/** Whether an automatic reload would interrupt or lose something: transfers, media, or unsent text. */
export function isBusy({ transfers, call }: Pick<Warren, "transfers" | "call">): boolean {
  const isMoving = movingOf(transfers.store.getState()).length > 0;
  const isSharing = (call.store.getState()?.store.getState().local.length ?? 0) > 0;
  return isMoving || isSharing || isOccupied() || hasDrafts() || isPlaying();
}

/** Whether a camera, a screen or audio is playing. */
function isPlaying(): boolean {
  return [...document.querySelectorAll("video, audio")].some(
    (element) => element instanceof HTMLMediaElement && element.srcObject !== null && !element.paused,
  );
}
