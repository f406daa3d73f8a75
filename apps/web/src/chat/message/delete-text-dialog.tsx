import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";

interface DeleteTextDialogProps extends DialogSlot<"here" | "everywhere"> {
  readonly title: string;
  readonly line: string;
  /** The words of the button that deletes it for the others as well. */
  readonly verb: string;
}

/** Asks whether one of my texts is to be deleted here only, or for everybody. */
export function DeleteTextDialog({ title, line, verb, dialog }: DeleteTextDialogProps) {
  const t = useT();
  return (
    <Dialog dialog={dialog} title={title} description={line}>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button onClick={() => dialog.submit("here")}>{t("conversation.deleteHere")}</Button>
        <Button variant="danger" onClick={() => dialog.submit("everywhere")}>
          {verb}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
