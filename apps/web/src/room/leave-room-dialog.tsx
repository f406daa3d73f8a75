import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";

interface LeaveRoomDialogProps extends DialogSlot<true> {
  readonly room: string;
  /** Transfers that would stop. */
  readonly activeTransfers: number;
  readonly leavesCall: boolean;
}

/** Asks before leaving a room with other members, active transfers or a call. */
export function LeaveRoomDialog({ dialog, room, activeTransfers, leavesCall }: LeaveRoomDialogProps) {
  const t = useT();
  return (
    <Dialog dialog={dialog} size="sm" title={t("leave.title", { room })} description={t("leave.line")}>
      {leavesCall && <p className="mt-2 text-body">{t("leave.lineCall")}</p>}
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
