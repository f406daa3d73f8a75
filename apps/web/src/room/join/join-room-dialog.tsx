import type { FormEvent } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { RoomFields } from "./room-fields.tsx";
import { type RoomDetails, useRoomDraft } from "./use-room-draft.ts";

interface JoinRoomDialogProps extends DialogSlot<RoomDetails> {
  readonly details: RoomDetails;
  /** The room we are in; joining another room or changing the password leaves it. Null outside a room. */
  readonly currentRoom: string | null;
}

/** The join form, Edit Room Info: the name of a room and its password. */
export function JoinRoomDialog({ dialog, details, currentRoom }: JoinRoomDialogProps) {
  const t = useT();
  const draft = useRoomDraft(details);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = draft.read();
    if (read !== null) dialog.submit(read);
  };
  return (
    <Dialog
      dialog={dialog}
      initialFocus={draft.roomField}
      title={t("join.title")}
      description={t("join.line")}
      size="md"
    >
      <form noValidate onSubmit={submit}>
        <div className="mt-4 flex flex-col gap-4">
          <RoomFields draft={draft} currentRoom={currentRoom} />
        </div>
        <DialogFooter>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit">
            {currentRoom !== null && !draft.moves ? t("join.save") : t("join.submit")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
