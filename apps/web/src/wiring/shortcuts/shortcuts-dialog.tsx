import { useT } from "../../i18n/use-t.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { openDialog } from "../dialogs/open-dialog.ts";
import { DoctorButton } from "../doctor-button.tsx";
import { useOptions } from "../warren-context.ts";
import { printedKeys } from "./printed-keys.ts";
import { isTyping, shortcutGroups, shortcuts, shortcutsOf } from "./shortcuts.ts";
import { useShortcut } from "./use-shortcut.ts";

/** Lists the keyboard shortcuts from the table that the handlers use. */
function ShortcutsDialog({ dialog }: DialogSlot<never>) {
  const t = useT();
  const options = useOptions();
  return (
    <Dialog dialog={dialog} title={t("nav.shortcuts")} size="xl" closable initialFocus="top">
      <div className="mt-1 gap-x-12 md:columns-2">
        {shortcutGroups.map((group) => (
          <section
            key={group}
            aria-label={t(`shortcuts.groups.${group}`)}
            className="break-inside-avoid pt-4"
          >
            <h3 className="mb-1 text-meta text-text-2">{t(`shortcuts.groups.${group}`)}</h3>
            <dl>
              {shortcutsOf(group, options).map((name) => (
                <div
                  key={name}
                  className="flex min-h-9 items-center justify-between gap-4 py-1.5 leading-[1.125rem] md:min-h-7 md:py-0.5"
                >
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
      </div>
      <p className="mt-5 border-line border-t pt-4">
        <DoctorButton onLeave={dialog.cancel}>{t("doctor.open")}</DoctorButton>
      </p>
    </Dialog>
  );
}

/** Opens the list of keyboard shortcuts. */
export function showShortcuts(): void {
  void openDialog(ShortcutsDialog, {});
}

/** Opens it by its shortcut, unless the user is typing or a dialog is open. */
export function useShortcutsHelp(): void {
  useShortcut("help", showShortcuts, (event) => !isTyping(event));
}
