import type { Options } from "@warren/core";

/** The scope of a shortcut; the groups of the dialog, in its order. */
export const shortcutGroups = ["anywhere", "conversation", "call", "writing", "lists"] as const;

/** A key with its modifiers, such as "Ctrl+F". "Ctrl" is the command key on a Mac. */
type Keys = string;

interface Shortcut {
  readonly group: (typeof shortcutGroups)[number];
  /** Alternative key combinations. */
  readonly keys: readonly Keys[];
  /** The required option: Enter sends, Enter starts a line, clipboard text is sent. */
  readonly when?: "enterSends" | "enterBreaks" | "clipboard";
}

/**
 * All shortcuts, used by the handlers and listed in the dialog. The keys of lists, pasting and toasts are
 * handled by their controls and by the browser; their tests press the keys listed here.
 */
export const shortcuts = {
  help: { group: "anywhere", keys: ["?"] },
  toasts: { group: "anywhere", keys: ["Alt+T"] },
  close: { group: "anywhere", keys: ["Escape"] },
  mute: { group: "call", keys: ["M"] },
  camera: { group: "call", keys: ["V"] },
  shareScreen: { group: "call", keys: ["S"] },
  pushToTalk: { group: "call", keys: ["Space"] },
  search: { group: "conversation", keys: ["Ctrl+F"] },
  older: { group: "conversation", keys: ["Enter"] },
  newer: { group: "conversation", keys: ["Shift+Enter"] },
  paste: { group: "conversation", keys: ["Ctrl+V"], when: "clipboard" },
  send: { group: "writing", keys: ["Ctrl+Enter", "Shift+Enter"], when: "enterBreaks" },
  breakLine: { group: "writing", keys: ["Enter"], when: "enterBreaks" },
  sendByEnter: { group: "writing", keys: ["Enter", "Ctrl+Enter"], when: "enterSends" },
  breakLineByShift: { group: "writing", keys: ["Shift+Enter"], when: "enterSends" },
  previous: { group: "lists", keys: ["ArrowUp"] },
  next: { group: "lists", keys: ["ArrowDown"] },
  first: { group: "lists", keys: ["Home"] },
  last: { group: "lists", keys: ["End"] },
  menu: { group: "lists", keys: ["ContextMenu", "Shift+F10"] },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutName = keyof typeof shortcuts;

const names = Object.keys(shortcuts).filter((name): name is ShortcutName => Object.hasOwn(shortcuts, name));

/** The shortcuts of a group that are active with these options, in table order. */
export function shortcutsOf(
  group: Shortcut["group"],
  { enterSends, enableClipboard }: Pick<Options, "enterSends" | "enableClipboard">,
): readonly ShortcutName[] {
  const isMet = { enterSends, enterBreaks: !enterSends, clipboard: enableClipboard };
  return names.filter((name) => {
    const shortcut: Shortcut = shortcuts[name];
    return shortcut.group === group && (shortcut.when === undefined || isMet[shortcut.when]);
  });
}

type PressedKey = Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "shiftKey" | "altKey"> & {
  /** Missing, despite the DOM types, when the browser autofills a field and reports that as a key press. */
  readonly key?: string;
};

/** Whether a shortcut was pressed. */
export function isShortcut(event: PressedKey, name: ShortcutName): boolean {
  return shortcuts[name].keys.some((keys) => isPressed(event, keys));
}

function isPressed({ key, ctrlKey, metaKey, shiftKey, altKey }: PressedKey, keys: Keys): boolean {
  const held = keys.split("+");
  const named = held.pop() ?? "";
  const last = named === "Space" ? " " : named;
  const wants = (modifier: string) => held.includes(modifier);
  // A character such as "?" needs Shift on some keyboards and not on others.
  const isSign = last.length === 1 && last.toLowerCase() === last.toUpperCase();
  return (
    key?.toLowerCase() === last.toLowerCase() &&
    (ctrlKey || metaKey) === wants("Ctrl") &&
    altKey === wants("Alt") &&
    (isSign || shiftKey === wants("Shift"))
  );
}

const editable = "input, textarea, select, [contenteditable]";

/** Whether the event's target is a text field. */
export function isTyping({ target }: Pick<Event, "target">): boolean {
  return target instanceof Element && target.closest(editable) !== null;
}
