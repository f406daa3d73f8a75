import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";

interface ConfirmDialogProps extends DialogSlot<true> {
  readonly title: string;
  /** The consequence, in one sentence. */
  readonly line: string;
  /** The verb on the button. */
  readonly verb: string;
}

/** Asks before a destructive action. */
export function ConfirmDialog({ title, line, verb, dialog }: ConfirmDialogProps) {
  const t = useT();
  return (
    <Dialog dialog={dialog} size="sm" title={title} description={line}>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button variant="danger" onClick={() => dialog.submit(true)}>
          {verb}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
