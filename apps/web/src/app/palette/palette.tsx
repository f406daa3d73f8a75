import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useOpenFound } from "../../chat/list/found-messages.tsx";
import { dialogStore, openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { PaletteContext } from "../../wiring/palette-context.ts";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import { PaletteDialog } from "./palette-dialog.tsx";
import { useEntries } from "./use-entries.tsx";

/** Opens the palette by its shortcut, and for the buttons inside. */
export function Palette({ children }: { readonly children: ReactNode }) {
  const entries = useEntries();
  const openMessage = useOpenFound();
  const open = async (): Promise<void> => {
    const result = await openDialog(PaletteDialog, { entries: entries(), openMessage });
    if (!result.cancelled) result.value();
  };
  const latest = useRef(open);
  useLayoutEffect(() => {
    latest.current = open;
  });
  // Always the same function, so that the pages are not re-rendered with the names that the palette follows.
  const openLatest = useCallback((): void => void latest.current(), []);
  useEffect(() => {
    const listening = new AbortController();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isShortcut(event, "palette") || event.defaultPrevented || dialogStore.getState()?.open) return;
      event.preventDefault();
      openLatest();
    };
    document.addEventListener("keydown", onKeyDown, { signal: listening.signal });
    return () => listening.abort();
  }, [openLatest]);
  return <PaletteContext value={openLatest}>{children}</PaletteContext>;
}
