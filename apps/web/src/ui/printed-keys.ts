const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as they are printed on this person's keyboard, where that is not their name. */
const printed: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  ContextMenu: "Menu",
  Delete: "Del",
  ...(isMac && { Ctrl: "⌘", Alt: "⌥", Delete: "⌫" }),
};

/** Writes the keys of a shortcut, or those that a sentence names, as on this person's keyboard: "Ctrl F" or "⌘ F". */
export function printedKeys(text: string): string {
  return text.replace(/\b[A-Z][a-zA-Z]+\b/g, (name) => printed[name] ?? name);
}
