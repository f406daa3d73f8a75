import { isMac } from "./is-mac.ts";

/** Key labels on the user's keyboard, where they differ from the key's name. */
const printed: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Plus: "+",
  Minus: "−",
  PageUp: "Page ↑",
  PageDown: "Page ↓",
  Escape: "Esc",
  ContextMenu: "Menu",
  Delete: "Del",
  ...(isMac() && { Ctrl: "⌘", Alt: "⌥", Delete: "⌫" }),
};

/**
 * Replaces the key names in a shortcut or sentence by the labels on the user's keyboard: "Ctrl F" or "⌘ F".
 */
export function printedKeys(text: string): string {
  return text.replace(/\b[A-Z][a-zA-Z]+\b/g, (name) => printed[name] ?? name);
}
