import type { Warren } from "@warren/core";
import { transferTotals } from "../../components/transfers/transfer-rows.ts";
import { dialogStore } from "../../dialogs/open-dialog.tsx";
import { hasDrafts } from "../../features/chat/drafts.ts";

/** Whether a reload that nobody asked for would interrupt or lose something: files that move, sound and pictures, words. */
export function isBusy({ transfers }: Pick<Warren, "transfers">): boolean {
  return (
    transferTotals(transfers.store.getState()).count > 0 ||
    dialogStore.getState()?.open === true ||
    hasDrafts() ||
    isTyping() ||
    isPlaying()
  );
}

function isTyping(): boolean {
  const { activeElement } = document;
  return (
    (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) &&
    activeElement.value !== ""
  );
}

/** Whether a camera, a screen or a voice is on. */
function isPlaying(): boolean {
  return [...document.querySelectorAll("video, audio")].some(
    (element) => element instanceof HTMLMediaElement && element.srcObject !== null && !element.paused,
  );
}
