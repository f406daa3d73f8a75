import { useT } from "../../i18n/use-t.ts";
import { Dialog, type DialogProps } from "../../ui/overlays/dialog.tsx";
import { isMissingCode } from "../missing-code.ts";
import { ErrorFallback } from "./error-fallback.tsx";

interface ErrorDialogProps {
  readonly dialog: DialogProps["dialog"];
  readonly error: unknown;
  /** Re-renders the dialog. */
  readonly onReset: () => void;
}

/** Shown in place of a crashed dialog. Closing it cancels that dialog. */
export function ErrorDialog({ dialog, error, onReset }: ErrorDialogProps) {
  const t = useT();
  const isMissing = isMissingCode(error);
  return (
    <Dialog
      dialog={dialog}
      // So that an Enter meant for the crashed dialog does not press Reset.
      initialFocus="top"
      title={t("fallback.title")}
      description={t(isMissing ? "missingPage.line" : "fallbackDialog.line")}
      closable
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
