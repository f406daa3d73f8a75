import { useT } from "../i18n/use-t.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorFallback } from "./error-fallback.tsx";
import { isMissingCode } from "./lazy.tsx";
import type { OpenDialog } from "./open-dialog.tsx";

interface ErrorDialogProps {
  readonly dialog: OpenDialog;
  readonly open: boolean;
  readonly error: unknown;
  /** Re-renders the dialog. */
  readonly onReset: () => void;
}

/** Shown in place of a crashed dialog. Closing it cancels that dialog. */
export function ErrorDialog({ dialog, open, error, onReset }: ErrorDialogProps) {
  const t = useT();
  const isMissing = isMissingCode(error);
  return (
    <Dialog
      open={open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      // So that an Enter meant for the crashed dialog does not press Reset.
      initialFocus="top"
      title={t("fallback.title")}
      description={t(isMissing ? "missingPage.line" : "fallbackDialog.line")}
      closeLabel={t("common.close")}
    >
      <div role="alert">
        <ErrorFallback
          error={error}
          hidesMessage={isMissing}
          resetLabel={t(isMissing ? "common.tryAgain" : "fallbackDialog.reset")}
          onReset={isMissing ? () => location.reload() : onReset}
        />
      </div>
    </Dialog>
  );
}
