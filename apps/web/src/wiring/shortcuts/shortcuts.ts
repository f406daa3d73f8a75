import type { Options } from "@warren/core";
import { isComposing } from "../../ui/is-composing.ts";
import { isMac } from "./is-mac.ts";

/** The scope of a shortcut; the groups of the dialog, in an order that fills its two columns alike. */
export const shortcutGroups = ["anywhere", "lists", "files", "conversation", "writing", "call"] as const;

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
 * All shortcuts, used by the handlers and listed in the dialog. The keys of lists and pasting are handled by their
 * controls and by the browser; their tests press the keys listed here.
 */
export const shortcuts = {
  help: { group: "anywhere", keys: ["?"] },
  palette: { group: "anywhere", keys: ["Ctrl+K"] },
  toasts: { group: "anywhere", keys: ["Alt+T", "F8"] },
  close: { group: "anywhere", keys: ["Escape"] },
  mute: { group: "call", keys: ["M"] },
  camera: { group: "call", keys: ["V"] },
  shareScreen: { group: "call", keys: ["S"] },
  pushToTalk: { group: "call", keys: ["Space"] },
  zoomIn: { group: "call", keys: ["Plus", "="] },
  zoomOut: { group: "call", keys: ["Minus"] },
  zoomReset: { group: "call", keys: ["0"] },
  moveZoomed: { group: "call", keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] },
  moveTile: { group: "call", keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] },
  search: { group: "conversation", keys: ["Ctrl+F"] },
  older: { group: "conversation", keys: ["Enter"] },
  newer: { group: "conversation", keys: ["Shift+Enter"] },
  reply: { group: "conversation", keys: ["R"] },
  edit: { group: "conversation", keys: ["E"] },
  selectMessage: { group: "conversation", keys: ["X", "Shift+X"] },
  toggleMessage: { group: "conversation", keys: ["Space"] },
  extendMessages: { group: "conversation", keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
  editLast: { group: "writing", keys: ["ArrowUp"] },
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
  openFile: { group: "files", keys: ["Enter"] },
  select: { group: "files", keys: ["Space"] },
  selectRange: { group: "files", keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
  selectAll: { group: "files", keys: ["Ctrl+A"] },
  deselect: { group: "files", keys: ["Escape"] },
  saveFile: { group: "files", keys: ["S"] },
  forwardFile: { group: "files", keys: ["F"] },
  deleteFile: { group: "files", keys: ["Delete"] },
  scrollPage: { group: "files", keys: ["PageUp", "PageDown"] },
  turnPage: { group: "files", keys: ["ArrowLeft", "ArrowRight"] },
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

/** What says which key was pressed; missing when the browser autofills a field and reports that as a key press. */
type Key = Partial<Pick<KeyboardEvent, "key" | "code">>;

type PressedKey = Key &
  Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "shiftKey" | "altKey"> &
  Partial<Pick<KeyboardEvent, "getModifierState" | "target" | "isComposing" | "keyCode">>;

/** Whether a shortcut was pressed. */
export function isShortcut(event: PressedKey, name: ShortcutName): boolean {
  const { isComposing: composes = false, keyCode = 0 } = event;
  if (isComposing({ isComposing: composes, keyCode }) || isThirdLevel(event)) return false;
  return shortcuts[name].keys.some((keys) => isPressed(event, keys));
}

/** Whether a key writes a third character: with AltGr, which browsers on Windows call Ctrl and Alt, or Option on a Mac. */
function isThirdLevel(event: PressedKey): boolean {
  if (isMac()) return event.altKey && isTyping({ target: event.target ?? null });
  return (event.ctrlKey && event.altKey) || event.getModifierState?.("AltGraph") === true;
}

/**
 * The key as a Latin keyboard calls it, in lower case. On a layout with other letters it is the one at that place of most
 * keyboards, so that shortcuts work without changing the layout.
 */
export function keyOf({ key = "", code = "" }: Key): string {
  const plain = key === "؟" ? "?" : key.normalize("NFKC").toLowerCase();
  if ([...plain].length !== 1 || /^[\p{ASCII}\p{Script=Latin}]$/u.test(plain)) return plain;
  return /^(?:Key|Digit)([A-Z\d])$/.exec(code)?.[1]?.toLowerCase() ?? plain;
}

/** Keys that are written as words, because "+" joins keys and a space is not seen. */
const characters: Readonly<Record<string, string>> = { Space: " ", Plus: "+", Minus: "-" };

function isPressed(event: PressedKey, keys: Keys): boolean {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  const held = keys.split("+");
  const named = held.pop() ?? "";
  const last = characters[named] ?? named;
  const wants = (modifier: string) => held.includes(modifier);
  // A character such as "?" needs Shift on some keyboards and not on others.
  const isSign = last.length === 1 && last.toLowerCase() === last.toUpperCase();
  return (
    keyOf(event) === last.toLowerCase() &&
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
