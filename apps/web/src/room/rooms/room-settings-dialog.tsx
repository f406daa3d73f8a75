import type { KeptRoom, RoomFacts } from "@warren/core";
import { type ClientId, limits } from "@warren/protocol";
import { type FormEvent, useId, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useName } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useProfile } from "../../wiring/warren-context.tsx";
import { useNameOfRoom } from "../room-name.ts";
import { RoomMembers } from "./room-members.tsx";

type Form = Required<Pick<RoomFacts, "title" | "showsNewcomers">>;

interface Answer {
  readonly form: Form;
  readonly then: "save" | "forget" | { readonly remove: ClientId };
}

interface RoomSettingsDialogProps extends DialogSlot<Answer> {
  readonly room: KeptRoom;
  /** What it held before it made way for a question about a member. */
  readonly form?: Form | undefined;
}

/** What a room is called here, what is known of it, who belongs to it, and the way to forget it. */
export function RoomSettingsDialog({ room, form, dialog }: RoomSettingsDialogProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const nameOfRoom = useNameOfRoom();
  const [title, setTitle] = useState((form ?? room).title ?? "");
  const [showsNewcomers, setShowsNewcomers] = useState((form ?? room).showsNewcomers === true);
  const newcomersId = useId();
  const answer = (then: Answer["then"]): void =>
    dialog.submit({ form: { title: title.trim() === "" ? undefined : title.trim(), showsNewcomers }, then });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    answer("save");
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
        <label htmlFor={newcomersId} className="mt-4 flex cursor-pointer items-start justify-between gap-4">
          <span>
            <span className="block text-body">{t("rooms.newcomers")}</span>
            <span className="block text-meta text-text-3">{t("rooms.newcomersHint")}</span>
          </span>
          <Switch id={newcomersId} checked={showsNewcomers} onChange={setShowsNewcomers} />
        </label>
        <RoomMembers
          room={room}
          isUnfolded={form !== undefined}
          onRemove={(member) => answer({ remove: member })}
        />
        <ul className="mt-4 flex flex-col gap-1 text-compact text-text-2">
          {nameOfRoom(room) !== room.id && <li>{t("rooms.ownName", { room: room.id })}</li>}
          <li>{t(room.password === null ? "rooms.byName" : "rooms.byLink")}</li>
          <Creator room={room} />
          <li>{t("rooms.firstVisit", { date: format.date(room.firstVisit, now) })}</li>
        </ul>
        <DialogFooter>
          <Button variant="danger-text" className="mr-auto" onClick={() => answer("forget")}>
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
