import type { MessageKey } from "@warren/core";
import { create } from "zustand";

/** The message a person wants to see in its conversation; null once it was shown. */
export const useShownMessage = create<MessageKey | null>(() => null);

/** Brings a message into sight as soon as its conversation is on the screen. */
export function showMessage(key: MessageKey): void {
  useShownMessage.setState(key, true);
}

/** The message was shown. */
export function messageShown(): void {
  useShownMessage.setState(null, true);
}
