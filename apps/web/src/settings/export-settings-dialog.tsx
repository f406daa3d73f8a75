import { useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { CheckLine } from "../ui/check-line.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import type { DialogSlot } from "../ui/open-dialog.tsx";

/** The secrets to include in a settings file. */
export interface ExportedSecrets {
  readonly withPassword: boolean;
  readonly withTurnSecrets: boolean;
}

interface ExportSettingsDialogProps extends DialogSlot<ExportedSecrets> {
  /** The room whose password could be included; null if it has none. */
  readonly lockedRoom: string | null;
  readonly hasTurnSecrets: boolean;
}

/** Asks which secrets go into a settings file: none by default. */
export function ExportSettingsDialog({ dialog, lockedRoom, hasTurnSecrets }: ExportSettingsDialogProps) {
  const t = useT();
  const [withPassword, setWithPassword] = useState(false);
  const [withTurnSecrets, setWithTurnSecrets] = useState(false);
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      title={t("settingsAdvanced.exportTitle")}
      description={t("settingsAdvanced.exportLine")}
    >
      <div className="mt-3 flex flex-col gap-2">
        {lockedRoom !== null && (
          <CheckLine checked={withPassword} onChange={setWithPassword}>
            {t("settingsAdvanced.exportPassword", { room: lockedRoom })}
          </CheckLine>
        )}
        {hasTurnSecrets && (
          <CheckLine checked={withTurnSecrets} onChange={setWithTurnSecrets}>
            {t("settingsAdvanced.exportTurn")}
          </CheckLine>
        )}
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button variant="primary" onClick={() => dialog.submit({ withPassword, withTurnSecrets })}>
          {t("settingsAdvanced.exportVerb")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
