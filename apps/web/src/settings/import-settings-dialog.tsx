import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import type { DialogSlot } from "../ui/open-dialog.tsx";

interface ImportSettingsDialogProps extends DialogSlot<true> {
  /** The changes, in words. */
  readonly changes: readonly string[];
  /** The unusable parts of the file, in words. */
  readonly dropped: readonly string[];
  /** The hosts that connections would newly use. */
  readonly hosts: readonly string[];
  /** Whether the file has TURN servers without their passwords. */
  readonly lacksSecrets: boolean;
}

/** Previews what a settings file changes and what is ignored, before importing it. */
export function ImportSettingsDialog({
  dialog,
  changes,
  dropped,
  hosts,
  lacksSecrets,
}: ImportSettingsDialogProps) {
  const t = useT();
  const format = useFormat();
  const isEmpty = changes.length === 0;
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      title={t("settingsAdvanced.importTitle")}
      description={
        isEmpty
          ? t("settingsAdvanced.importNothing")
          : t("settingsAdvanced.importCount", { count: changes.length })
      }
    >
      <div className="mt-3 flex flex-col gap-2 break-words text-compact text-text-2">
        {!isEmpty && <p>{t("settingsAdvanced.importChanges", { names: format.items(changes) })}</p>}
        {hosts.length > 0 && <p>{t("settingsAdvanced.importServers", { hosts: format.items(hosts) })}</p>}
        {lacksSecrets && <p>{t("settingsAdvanced.importSecrets")}</p>}
        {dropped.length > 0 && (
          <p className="text-warn">{t("settingsAdvanced.importDropped", { names: format.items(dropped) })}</p>
        )}
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {isEmpty ? t("common.close") : t("common.cancel")}
        </Button>
        {!isEmpty && (
          <Button variant="primary" onClick={() => dialog.submit(true)}>
            {t("settingsAdvanced.importVerb")}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
