import { Kbd } from "../../ui/kbd.tsx";
import { printedKeys } from "./printed-keys.ts";
import { type ShortcutName, shortcuts } from "./shortcuts.ts";

/** The keys of a shortcut as the keyboard calls them; of alternatives, the first. */
export function ShortcutKeys({ name }: { readonly name: ShortcutName }) {
  return <Kbd>{printedKeys(shortcuts[name].keys[0].replaceAll("+", " "))}</Kbd>;
}
