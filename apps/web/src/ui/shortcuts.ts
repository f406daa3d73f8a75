import type { Options } from "@warren/core";

/** Where a shortcut works; the groups of the dialog, in its order. */
export const shortcutGroups = ["anywhere", "conversation", "call", "writing", "lists"] as const;

/** A key with those that are held, as "Ctrl+F". "Ctrl" is the command key on a Mac. */
type Keys = string;

interface Shortcut {
  readonly group: (typeof shortcutGroups)[number];
  /** Ways to press it. */
  readonly keys: readonly Keys[];
  /** The state of the options that it needs: Enter sends, Enter begins a line, clipboard text is sent. */
  readonly when?: "enterSends" | "enterBreaks" | "clipboard";
}

/**
 * Every shortcut there is: what handlers listen to and what the dialog lists. The keys of lists, of pasting and of
 * toasts belong to their controls and to the browser; their tests press what stands here.
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

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcuts;

const names = Object.keys(shortcuts).filter((name): name is ShortcutName => Object.hasOwn(shortcuts, name));

/** The shortcuts of a group that work with these options, in the order of the table. */
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
  /** Missing, whatever the types of the DOM say, where the browser fills in a field and calls that a press. */
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
  // A sign such as "?" needs Shift on some keyboards and not on others.
  const isSign = last.length === 1 && last.toLowerCase() === last.toUpperCase();
  return (
    key?.toLowerCase() === last.toLowerCase() &&
    (ctrlKey || metaKey) === wants("Ctrl") &&
    altKey === wants("Alt") &&
    (isSign || shiftKey === wants("Shift"))
  );
}

const editable = "input, textarea, select, [contenteditable]";

/** Whether what is typed goes into a field. */
export function isTyping({ target }: Pick<Event, "target">): boolean {
  return target instanceof Element && target.closest(editable) !== null;
}
