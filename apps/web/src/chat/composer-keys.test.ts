import { expect, test } from "vitest";
import { shortcuts, shortcutsOf } from "../ui/shortcuts.ts";
import { type ComposerKey, sendsMessage } from "./composer-keys.ts";

const enter: ComposerKey = {
  key: "Enter",
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
};
const byDefault = { enterSends: false, isTouch: false };
const enterSends = { enterSends: true, isTouch: false };
const onTouch = { enterSends: true, isTouch: true };

test.each([
  ["Enter begins a line", enter, byDefault, false],
  ["Ctrl and Enter send", { ...enter, ctrlKey: true }, byDefault, true],
  ["Command and Enter send", { ...enter, metaKey: true }, byDefault, true],
  ["Shift and Enter send", { ...enter, shiftKey: true }, byDefault, true],
  ["Alt and Enter begin a line", { ...enter, altKey: true }, enterSends, false],
  ["Enter sends where the option is on", enter, enterSends, true],
  ["then Shift and Enter begin a line", { ...enter, shiftKey: true }, enterSends, false],
  ["and Ctrl and Enter still send", { ...enter, ctrlKey: true }, enterSends, true],
  ["on touch Enter begins a line, whatever the option", enter, onTouch, false],
  ["a keyboard at a touch screen sends with Ctrl", { ...enter, ctrlKey: true }, onTouch, true],
  [
    "Enter that ends a composition sends nothing",
    { ...enter, ctrlKey: true, isComposing: true },
    byDefault,
    false,
  ],
  ["nor where only the key code tells", { ...enter, ctrlKey: true, keyCode: 229 }, byDefault, false],
  ["other keys send nothing", { ...enter, key: "a", ctrlKey: true }, enterSends, false],
])("%s", (_name, press, options, sends) => {
  expect(sendsMessage(press, options)).toBe(sends);
});

test.each([true, false])("matches the list of shortcuts while Enter sends: %s", (enterSends) => {
  const pressed = (keys: string) => {
    const held = keys.split("+");
    const idle = { keyCode: 13, metaKey: false, altKey: false, isComposing: false };
    return sendsMessage(
      { ...idle, key: "Enter", ctrlKey: held.includes("Ctrl"), shiftKey: held.includes("Shift") },
      { enterSends, isTouch: false },
    );
  };
  const listed = shortcutsOf("writing", { enterSends, enableClipboard: true });
  expect(listed).toHaveLength(2);
  for (const name of listed)
    for (const keys of shortcuts[name].keys) expect(pressed(keys)).toBe(name.startsWith("send"));
});
