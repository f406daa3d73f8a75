import type { ReadLink } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { AddressForm } from "./address-form.tsx";

/** Asks for a link, a short code or a room ID, while another room is offered. */
export function JoinByLinkDialog({ dialog }: DialogSlot<ReadLink>) {
  const t = useT();
  return (
    <Dialog dialog={dialog} title={t("joinByLink.title")} description={t("joinByLink.line")} closable>
      <AddressForm onLink={dialog.submit} className="mt-4" />
    </Dialog>
  );
}
