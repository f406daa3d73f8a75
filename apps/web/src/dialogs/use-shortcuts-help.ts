import { useEffect } from "react";
import { isShortcut, isTyping } from "../components/shortcuts.ts";
import { componentOnDemand } from "../ui/on-demand.tsx";
import { dialogStore, openDialog } from "./open-dialog.tsx";

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
