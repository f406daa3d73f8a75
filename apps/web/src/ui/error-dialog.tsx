import { useT } from "../i18n/use-t.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorFallback } from "./error-fallback.tsx";
import { CodeMissing } from "./on-demand.tsx";
import type { OpenDialog } from "./open-dialog.tsx";

interface ErrorDialogProps {
  readonly dialog: OpenDialog;
  readonly open: boolean;
  readonly error: Error;
  /** Draws the dialog anew, and asks for its code again where that did not come. */
  readonly onReset: () => void;
}

/** What is shown in place of a dialog that stopped. Closing it cancels that one. */
export function ErrorDialog({ dialog, open, error, onReset }: ErrorDialogProps) {
  const t = useT();
  const isMissing = error instanceof CodeMissing;
  return (
    <Dialog
      open={open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      // A press of Enter meant for the dialog that stopped resets nothing.
      initialFocus="top"
      title={t("fallback.title")}
      description={t(isMissing ? "missingPage.line" : "fallbackDialog.line")}
      closeLabel={t("common.close")}
    >
      <div role="alert">
        <ErrorFallback
          error={error}
          hidesMessage={isMissing}
          resetLabel={t(isMissing ? "common.retry" : "fallbackDialog.reset")}
          onReset={onReset}
        />
      </div>
    </Dialog>
  );
}
