import { useWindowEvent } from "../../ui/hooks/use-window-event.ts";
import { isDialogOpen } from "../dialogs/open-dialog.ts";
import { isShortcut, type ShortcutName } from "./shortcuts.ts";

/**
 * Acts on a shortcut of the page, unless a dialog is open.
 * @param isFree whether the key is ours where it was pressed; otherwise it is left to the browser
 */
export function useShortcut(
  name: ShortcutName,
  action: () => void,
  isFree: (event: KeyboardEvent) => boolean = () => true,
): void {
  useWindowEvent("keydown", (event) => {
    if (!isShortcut(event, name) || event.defaultPrevented || isDialogOpen() || !isFree(event)) return;
    event.preventDefault();
    action();
  });
}
