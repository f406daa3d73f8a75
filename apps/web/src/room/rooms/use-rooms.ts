import { randomRoomId, type VisitedRoom } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { useNameOfRoom } from "../room-name.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { type RoomAnswer, RoomSettingsDialog } from "./room-settings-dialog.tsx";
import { RoomsDialog } from "./rooms-dialog.tsx";

/** What can be done with visited rooms; failures are shown, so nothing here rejects. */
export interface Rooms {
  /** Goes to a room. @returns false if the person stays, because transfers would stop. */
  goTo(room: VisitedRoom): Promise<boolean>;
  /** Opens all of a room: its link, name and password, who belongs to it, and how to forget it. */
  edit(room: VisitedRoom): Promise<void>;
  /** Opens the list of all of them. */
  showAll(): Promise<void>;
}

export function useRooms(): Rooms {
  const t = useT();
  const { chat, profile, room: present } = useWarren();
  const nameOf = useNameOf();
  const nameOfRoom = useNameOfRoom();
  const actions = useRoomActions();

  const goTo: Rooms["goTo"] = ({ id, password }) => actions.goTo({ roomId: id, password });
  /** Deletes a room with its history, after one question; leaves it first. */
  const forget = async (room: VisitedRoom): Promise<void> => {
    const question = {
      title: t("rooms.forgetTitle", { room: nameOfRoom(room) }),
      line: t("rooms.forgetLine"),
      verb: t("rooms.forgetVerb"),
    };
    if (!(await confirm(question))) return;
    await withErrorToast(async () => {
      if (chat.store.getState().room === room.tag) {
        present.leave();
        // The profile names a room, with its password, and that one is to go.
        const next = chat.rooms.getState().find(({ tag }) => tag !== room.tag);
        profile.update({ roomId: next?.id ?? randomRoomId(), password: next?.password ?? null });
      }
      await chat.forgetRoom(room.tag);
    });
  };
  const removeMember = async (room: VisitedRoom, member: ClientId): Promise<void> => {
    const name = nameOf(member);
    const question = {
      title: t("rooms.removeTitle", { name, room: nameOfRoom(room) }),
      line: t("rooms.removeLine", { name }),
      details: [t("rooms.removeOthers")],
      verb: t("common.remove"),
    };
    if (await confirm(question)) await withErrorToast(() => chat.removeMember(room.tag, member));
  };
  const edit: Rooms["edit"] = async (room) => {
    let last: RoomAnswer | undefined;
    for (;;) {
      const result = await openDialog(RoomSettingsDialog, { room, last });
      if (result.cancelled) return;
      last = result.value;
      const { then } = last;
      if (then === "forget") return forget(room);
      if (then === "save") break;
      await (then === "share" ? actions.shareRoom() : removeMember(room, then.remove));
    }
    const { roomId, password, title, showsNewcomers } = last.form;
    const before = { roomId: room.id, password: room.password };
    await withErrorToast(() => chat.updateRoom(before, { title, showsNewcomers }));
    if (roomId !== before.roomId || password !== before.password) await actions.goTo({ roomId, password });
  };

  const showAll: Rooms["showAll"] = async () => {
    for (;;) {
      const result = await openDialog(RoomsDialog, {});
      if (result.cancelled) return;
      const { room, isToEdit } = result.value;
      if (!isToEdit) return void (await goTo(room));
      await edit(room);
    }
  };
  return { goTo, edit, showAll };
}
