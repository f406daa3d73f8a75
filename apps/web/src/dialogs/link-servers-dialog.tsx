import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import type { DialogSlot } from "./open-dialog.tsx";

interface LinkServersDialogProps extends DialogSlot<boolean> {
  readonly room: string;
  readonly hosts: readonly string[];
}

/** Asks whether the servers that a link brought are used for its room. Cancelling does not join. */
export function LinkServersDialog({ dialog, room, hosts }: LinkServersDialogProps) {
  const t = useT();
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      title={t("join.confirmTitle", { room })}
      description={t("join.confirmServers", { host: hosts.join(", ") })}
    >
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button onClick={() => dialog.submit(false)}>{t("join.withoutServers")}</Button>
        <Button variant="primary" onClick={() => dialog.submit(true)}>
          {t("join.withServers")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
