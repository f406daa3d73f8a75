import { useEffect } from "react";
import { componentOnDemand } from "./on-demand.tsx";
import { dialogStore, openDialog } from "./open-dialog.tsx";
import { isShortcut, isTyping } from "./shortcuts.ts";

const ShortcutsDialog = componentOnDemand(
  async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog,
);

/** Opens the list of keyboard shortcuts. */
export function showShortcuts(): void {
  void openDialog(ShortcutsDialog, {});
}

/** Opens it by its shortcut, unless the user is typing or a dialog is open. */
export function useShortcutsHelp(): void {
  useEffect(() => {
    const listening = new AbortController();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isShortcut(event, "help") || isTyping(event) || dialogStore.getState()?.open) return;
      event.preventDefault();
      showShortcuts();
    };
    document.addEventListener("keydown", onKeyDown, { signal: listening.signal });
    return () => listening.abort();
  }, []);
}
