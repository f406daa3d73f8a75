import type { MessageKey } from "@warren/core";
import { create } from "zustand";

/** The message to show in its conversation; null once it was shown. */
export const useShownMessage = create<MessageKey | null>(() => null);

/** Scrolls a message into view as soon as its conversation is open. */
export function showMessage(key: MessageKey): void {
  useShownMessage.setState(key, true);
}

export function messageShown(): void {
  useShownMessage.setState(null, true);
}
