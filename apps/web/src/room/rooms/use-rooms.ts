import { type KeptRoom, randomRoomId } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { useNameOfRoom } from "../room-name.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { RoomSettingsDialog } from "./room-settings-dialog.tsx";
import { RoomsDialog } from "./rooms-dialog.tsx";

/** What can be done with the rooms that are kept; failures are shown, so nothing here rejects. */
export interface Rooms {
  /** Goes to a room. @returns false if the person stays, because transfers would stop. */
  goTo(room: KeptRoom): Promise<boolean>;
  /** Opens what is known of a room, who belongs to it, and what it is called here. */
  edit(room: KeptRoom): Promise<void>;
  /** Deletes a room with its history, after one question; leaves it first. */
  forget(room: KeptRoom): Promise<void>;
  /** Opens the list of all of them. */
  showAll(): Promise<void>;
}

export function useRooms(): Rooms {
  const t = useT();
  const run = useRun();
  const { chat, profile, room: present } = useWarren();
  const nameOf = useNameOf();
  const nameOfRoom = useNameOfRoom();
  const actions = useRoomActions();

  const goTo: Rooms["goTo"] = ({ id, password }) => actions.goTo({ roomId: id, password });
  const forget: Rooms["forget"] = async (room) => {
    const question = {
      title: t("rooms.forgetTitle", { room: nameOfRoom(room) }),
      line: t("rooms.forgetLine"),
      verb: t("rooms.forgetVerb"),
    };
    if (!(await confirm(question))) return;
    await run(async () => {
      if (chat.store.getState().room === room.tag) {
        present.leave();
        // The profile names a room, with its password, and that one is to go.
        const next = chat.rooms.getState().find(({ tag }) => tag !== room.tag);
        profile.update({ roomId: next?.id ?? randomRoomId(), password: next?.password ?? null });
      }
      await chat.forgetRoom(room.tag);
    });
  };
  const removeMember = async (room: KeptRoom, member: ClientId): Promise<void> => {
    const name = nameOf(member);
    const question = {
      title: t("rooms.removeTitle", { name, room: nameOfRoom(room) }),
      line: t("rooms.removeLine", { name }),
      details: [t("rooms.removeOthers")],
      verb: t("common.remove"),
    };
    if (await confirm(question)) await run(() => chat.removeMember(room.tag, member));
  };
  const edit: Rooms["edit"] = async (room) => {
    let result = await openDialog(RoomSettingsDialog, { room });
    while (!result.cancelled && typeof result.value.then === "object") {
      await removeMember(room, result.value.then.remove);
      result = await openDialog(RoomSettingsDialog, { room, form: result.value.form });
    }
    if (result.cancelled) return;
    const { form, then } = result.value;
    if (then === "forget") return forget(room);
    await run(() => chat.noteRoom({ roomId: room.id, password: room.password }, form));
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
  return { goTo, edit, forget, showAll };
}
