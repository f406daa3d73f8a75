import type { KeptRoom } from "@warren/core";
import { limits } from "@warren/protocol";
import { type FormEvent, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useName } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useProfile } from "../../wiring/warren-context.tsx";
import { useNameOfRoom } from "../room-name.ts";

type Answer = "forget" | { readonly title: string | undefined };

interface RoomSettingsDialogProps extends DialogSlot<Answer> {
  readonly room: KeptRoom;
}

/** What a room is called here, what is known of it, and the way to forget it. */
export function RoomSettingsDialog({ room, dialog }: RoomSettingsDialogProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const nameOfRoom = useNameOfRoom();
  const [title, setTitle] = useState(room.title ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    dialog.submit({ title: title.trim() === "" ? undefined : title.trim() });
  };
  return (
    <Dialog dialog={dialog} title={nameOfRoom(room)}>
      <form noValidate onSubmit={submit}>
        <TextField
          className="mt-4"
          label={t("rooms.title")}
          aside={t("common.optional")}
          hint={t("rooms.titleHint")}
          value={title}
          placeholder={nameOfRoom({ ...room, title: undefined })}
          onChange={(event) => setTitle(event.target.value)}
          maxLength={limits.roomIdLength}
          autoComplete="off"
        />
        <ul className="mt-4 flex flex-col gap-1 text-compact text-text-2">
          {nameOfRoom(room) !== room.id && <li>{t("rooms.ownName", { room: room.id })}</li>}
          <li>{t(room.password === null ? "rooms.byName" : "rooms.byLink")}</li>
          <Creator room={room} />
          <li>{t("rooms.firstVisit", { date: format.date(room.firstVisit, now) })}</li>
        </ul>
        <DialogFooter>
          <Button variant="danger-text" className="mr-auto" onClick={() => dialog.submit("forget")}>
            {t("rooms.forget")}
          </Button>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit">
            {t("join.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Creator({ room: { creator = "" } }: { readonly room: KeptRoom }) {
  const t = useT();
  const { clientId } = useProfile();
  const name = useName(creator);
  if (creator === "") return null;
  return <li>{creator === clientId ? t("rooms.madeByYou") : t("rooms.madeBy", { name })}</li>;
}
