import { type ReactNode, useEffect, useEffectEvent } from "react";
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
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (!isShortcut(event, "palette") || event.defaultPrevented || dialogStore.getState()?.open) return;
    event.preventDefault();
    void open();
  });
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener("keydown", (event) => onKeyDown(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return <PaletteContext value={() => void open()}>{children}</PaletteContext>;
}
