import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import type { DialogSlot } from "../ui/open-dialog.tsx";

interface OverLimitDialogProps extends DialogSlot<"anyway" | "raise"> {
  readonly way: "send" | "fetch";
  /** The file's size, the exceeded limit, and the proposed new limit; as text. */
  readonly size: string;
  readonly limit: string;
  readonly raised: string;
}

/** Asks before sending or receiving a file over the user's size limit. */
export function OverLimitDialog({ way, size, limit, raised, dialog }: OverLimitDialogProps) {
  const t = useT();
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      size="md"
      title={t("overLimit.title", { size, limit })}
      description={t(way === "send" ? "overLimit.sendLine" : "overLimit.fetchLine")}
    >
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button onClick={() => dialog.submit("raise")}>{t("overLimit.raise", { limit: raised })}</Button>
        <Button variant="primary" onClick={() => dialog.submit("anyway")}>
          {t(way === "send" ? "overLimit.sendAnyway" : "overLimit.fetchAnyway")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
