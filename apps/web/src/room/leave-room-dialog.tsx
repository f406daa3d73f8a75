import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";

interface LeaveRoomDialogProps extends DialogSlot<true> {
  readonly room: string;
  /** Transfers that would stop. */
  readonly activeTransfers: number;
}

/** Asks before leaving a room with other members or active transfers. */
export function LeaveRoomDialog({ dialog, room, activeTransfers }: LeaveRoomDialogProps) {
  const t = useT();
  return (
    <Dialog dialog={dialog} size="sm" title={t("leave.title", { room })} description={t("leave.line")}>
      {activeTransfers > 0 && (
        <p className="mt-2 text-body">{t("leave.lineActive", { count: activeTransfers })}</p>
      )}
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button variant="danger" onClick={() => dialog.submit(true)}>
          {t("leave.confirm")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
