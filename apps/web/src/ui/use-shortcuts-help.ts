import { useEffect } from "react";
import { componentOnDemand } from "./on-demand.tsx";
import { dialogStore, openDialog } from "./open-dialog.tsx";
import { isShortcut, isTyping } from "./shortcuts.ts";

const ShortcutsDialog = componentOnDemand(
  async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog,
);

/** Shows what can be done by keyboard. */
export function showShortcuts(): void {
  void openDialog(ShortcutsDialog, {});
}

/** Shows it under its key, unless something is being written or asked. */
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
