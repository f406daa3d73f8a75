import { useT } from "../i18n/use-t.ts";
import { Dialog } from "../ui/dialog.tsx";
import type { DialogSlot } from "../ui/open-dialog.tsx";
import { TransferList, TransferSpeeds } from "./transfers/transfer-list.tsx";

/** All transfers; a sheet on a phone. */
export function TransfersDialog({ dialog }: DialogSlot<never>) {
  const t = useT();
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      initialFocus="top"
      title={t("nav.transfers")}
      closeLabel={t("common.close")}
    >
      <TransferSpeeds />
      <div className="-mx-6 mt-3 border-t border-line max-md:-mx-5">
        <TransferList />
      </div>
    </Dialog>
  );
}
