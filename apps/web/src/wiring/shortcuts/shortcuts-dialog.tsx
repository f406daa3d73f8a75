import { useEffect } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { dialogStore, openDialog } from "../dialogs/open-dialog.tsx";
import { DoctorButton } from "../doctor-button.tsx";
import { useOptions } from "../warren-context.tsx";
import { printedKeys } from "./printed-keys.ts";
import { isShortcut, isTyping, shortcutGroups, shortcuts, shortcutsOf } from "./shortcuts.ts";

/** Lists the keyboard shortcuts from the table that the handlers use. */
function ShortcutsDialog({ dialog }: DialogSlot<never>) {
  const t = useT();
  const options = useOptions();
  return (
    <Dialog dialog={dialog} title={t("nav.shortcuts")} closeLabel={t("common.close")}>
      <div className="mt-1 flex flex-col">
        {shortcutGroups.map((group) => (
          <section key={group} aria-label={t(`shortcuts.groups.${group}`)} className="mt-4">
            <h3 className="mb-1 text-meta text-text-2">{t(`shortcuts.groups.${group}`)}</h3>
            <dl>
              {shortcutsOf(group, options).map((name) => (
                <div key={name} className="flex min-h-9 items-center justify-between gap-4">
                  <dt className="min-w-0">{t(`shortcuts.what.${name}`)}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    {shortcuts[name].keys.map((keys, index) => (
                      <span key={keys} className="flex items-center gap-1.5">
                        {index > 0 && <span className="text-meta text-text-2">{t("shortcuts.or")}</span>}
                        <Kbd>{printedKeys(keys.replaceAll("+", " "))}</Kbd>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="mt-5 border-line border-t pt-4">
          <DoctorButton onLeave={dialog.cancel}>{t("doctor.open")}</DoctorButton>
        </p>
      </div>
    </Dialog>
  );
}

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
