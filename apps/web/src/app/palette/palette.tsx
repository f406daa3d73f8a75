import type { ReactNode } from "react";
import { useOpenFound } from "../../chat/list/use-open-found.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useStableCallback } from "../../ui/hooks/use-stable-callback.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { PaletteContext } from "../../wiring/palette-context.ts";
import { useShortcut } from "../../wiring/shortcuts/use-shortcut.ts";
import { PaletteDialog } from "./palette-dialog.tsx";
import { useEntries } from "./use-entries.tsx";

/** Opens the palette by its shortcut, and for the buttons inside. */
export function Palette({ children }: { readonly children: ReactNode }) {
  const entries = useEntries();
  const openMessage = useOpenFound();
  const { recentEntries } = useTab();
  // Stable, so that the pages are not re-rendered with the names that the palette follows.
  const open = useStableCallback(async () => {
    const options = { entries: entries(), recent: recentEntries.ids, openMessage };
    const result = await openDialog(PaletteDialog, options);
    if (result.cancelled) return;
    const { id, group, run } = result.value;
    // A message is found anew.
    if (group !== "messages") recentEntries.add(id);
    run();
  });
  useShortcut("palette", open);
  return <PaletteContext value={open}>{children}</PaletteContext>;
}
