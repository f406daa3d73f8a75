import { type RoomFacts, roomIdOf, type VisitedRoom } from "@warren/core";
import { type ClientId, limits } from "@warren/protocol";
import { type FormEvent, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { SwitchLine } from "../../people/person-info/switch-line.tsx";
import { useName } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { CopyIcon, QrIcon } from "../../ui/icons.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useProfile, useRoom, useStore, useWarren } from "../../wiring/warren-context.ts";
import { RoomFields } from "../join/room-fields.tsx";
import { type RoomDetails, useRoomDraft } from "../join/use-room-draft.ts";
import { useJoinLink } from "../link/use-join-link.ts";
import { useLinkActions } from "../link/use-link-actions.ts";
import { useNameOfRoom } from "../room-name.ts";
import { RoomMembers } from "./room-members.tsx";

/** What was typed: what the room is, and what is kept of it here. */
interface Form extends RoomDetails, Required<Pick<RoomFacts, "title" | "showsNewcomers">> {}

export interface RoomAnswer {
  readonly form: Form;
  /** What follows; after `share` and `remove` the dialog comes back. */
  readonly then: "save" | "share" | "forget" | { readonly remove: ClientId };
}

interface RoomSettingsDialogProps extends DialogSlot<RoomAnswer> {
  readonly room: VisitedRoom;
  /** What it submitted before it made way for another dialog. */
  readonly last?: RoomAnswer | undefined;
}

/**
 * All of a room in one place: the ways to invite, its name and password, who belongs to it, what newcomers see, and how to forget it.
 * A room that we are not in has no name and password to change, and no link here.
 */
export function RoomSettingsDialog({ room, last, dialog }: RoomSettingsDialogProps) {
  const t = useT();
  const { chat } = useWarren();
  const present = useRoom();
  const nameOfRoom = useNameOfRoom();
  const facts = useFacts(room);
  const isPresent = useStore(chat.store, (state) => state.room === room.tag);
  const draft = useRoomDraft({ roomId: room.id, password: room.password }, last?.form);
  const [title, setTitle] = useState((last?.form ?? room).title ?? "");
  const [showsNewcomers, setShowsNewcomers] = useState((last?.form ?? room).showsNewcomers === true);

  const answer = (then: RoomAnswer["then"], { roomId, password }: RoomDetails = draft): void => {
    const trimmed = title.trim();
    dialog.submit({
      form: { roomId, password, title: trimmed === "" ? undefined : trimmed, showsNewcomers },
      then,
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = draft.read();
    if (read !== null) answer("save", read);
  };
  const ownTitle = (
    <TextField
      label={t("rooms.title")}
      aside={t("common.optional")}
      hint={t("rooms.titleHint")}
      value={title}
      placeholder={nameOfRoom({ ...room, title: undefined })}
      onChange={(event) => setTitle(event.target.value)}
      maxLength={limits.roomIdLength}
      autoComplete="off"
    />
  );
  return (
    <Dialog
      dialog={dialog}
      initialFocus="top"
      title={t("rooms.settingsOf", { room: nameOfRoom(room) })}
      description={joinSentences(facts)}
    >
      <form noValidate onSubmit={submit}>
        {isPresent && <Invitation onShare={() => answer("share")} />}
        <div className="mt-4 flex flex-col gap-4">
          {isPresent ? <RoomFields draft={draft} currentRoom={roomIdOf(present)} /> : ownTitle}
        </div>
        <div className="mt-5 border-line border-t pt-3">
          <SwitchLine
            label={t("rooms.newcomers")}
            hint={t("rooms.newcomersHint")}
            isOn={showsNewcomers}
            onChange={setShowsNewcomers}
          />
          {isPresent && (
            <Collapsible
              title={t("rooms.ownTitle")}
              {...(title !== "" && { opensFor: room.tag })}
              className="mt-1"
            >
              {ownTitle}
            </Collapsible>
          )}
          <RoomMembers
            room={room}
            isUnfolded={typeof last?.then === "object"}
            onRemove={(member) => answer({ remove: member })}
          />
        </div>
        <DialogFooter
          rarely={
            <Button variant="ghost" onClick={() => answer("forget")}>
              {t("rooms.forget")}
            </Button>
          }
        >
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit">
            {isPresent && draft.moves ? t("join.submit") : t("join.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** The link of the room we are in. */
function Invitation({ onShare }: { readonly onShare: () => void }) {
  const t = useT();
  const link = useJoinLink();
  const { copy } = useLinkActions();
  return (
    <div className="mt-4 flex flex-wrap gap-2 *:flex-1">
      <Button icon={CopyIcon} onClick={() => void copy(link)}>
        {t("waiting.copyLink")}
      </Button>
      <Button icon={QrIcon} onClick={onShare}>
        {t("people.shareRoom")}
      </Button>
    </div>
  );
}

/** Who can join, where it came from, and since when we have it. */
function useFacts({
  id,
  title,
  metWith,
  password,
  creator = "",
  firstVisit,
}: VisitedRoom): readonly string[] {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const { clientId } = useProfile();
  const name = useName(creator);
  const made = creator === clientId ? t("rooms.madeByYou") : t("rooms.madeBy", { name });
  return [
    ...((title ?? metWith) === undefined ? [] : [t("rooms.ownName", { room: id })]),
    t(password === null ? "rooms.byName" : "rooms.byLink"),
    ...(creator === "" ? [] : [made]),
    t("rooms.firstVisit", { date: format.date(firstVisit, now) }),
  ];
}
