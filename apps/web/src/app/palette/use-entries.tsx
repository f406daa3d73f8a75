import { everyone, peersOf } from "@warren/core";
import { useLocation } from "wouter";
import { clientOrder } from "../../chat/list/client-list-pane.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { ClientAvatar, EveryoneAvatar } from "../../people/client-avatar.tsx";
import { RouteLine } from "../../people/route-line.tsx";
import { useEditProfile } from "../../people/use-edit-profile.ts";
import { useNameOf, usePerson } from "../../people/use-person.ts";
import { useJoinByLink } from "../../room/join/join-by-link-button.tsx";
import { useNewRoom } from "../../room/join/use-new-room.ts";
import { useNameOfRoom, useRoomName } from "../../room/room-name.ts";
import { useRooms } from "../../room/rooms/use-rooms.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import {
  AddIcon,
  AppearanceIcon,
  ChatIcon,
  ConnectionIcon,
  EditIcon,
  FolderIcon,
  type Icon,
  InfoIcon,
  KeyboardIcon,
  LeaveIcon,
  LockIcon,
  MoreIcon,
  PhoneIcon,
  QrIcon,
  SettingsIcon,
} from "../../ui/icons.ts";
import { paths } from "../../wiring/paths.ts";
import { showShortcuts } from "../../wiring/shortcuts/shortcuts-dialog.tsx";
import { themes, useTheme } from "../../wiring/use-theme.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import type { PaletteEntry } from "./palette-entries.ts";

/** Returns a function that gives the rooms, people and commands of the palette as they are when it opens. */
export function useEntries(): () => readonly PaletteEntry[] {
  const rooms = useRoomEntries();
  const people = usePeopleEntries();
  const commands = useCommands();
  return () => [...rooms(), ...people(), ...commands()];
}

/** The rooms that we are not in, those visited last first. */
function useRoomEntries(): () => readonly PaletteEntry[] {
  const t = useT();
  const format = useFormat();
  const { chat, room } = useWarren();
  const nameOfRoom = useNameOfRoom();
  const rooms = useRooms();
  return () => {
    const present = room.store.getState();
    const { conversations, room: tagOfPresent } = chat.store.getState();
    return chat.rooms
      .getState()
      .filter(({ tag }) => !("roomId" in present) || tag !== tagOfPresent)
      .map((kept): PaletteEntry => {
        const unread = conversations[kept.tag]?.unread ?? 0;
        const visit = t("rooms.lastVisit", { date: format.stamp(kept.lastVisit, Date.now()) });
        return {
          id: kept.tag,
          group: "rooms",
          name: nameOfRoom(kept),
          alias: kept.id,
          detail: unread > 0 ? format.items([t("nav.unread", { count: unread }), visit]) : visit,
          icon: kept.password === null ? <ChatIcon size={18} /> : <LockIcon size={18} />,
          run: () => void rooms.goTo(kept),
        };
      });
  };
}

/** Everyone in the room, then people in the order of the list. */
function usePeopleEntries(): () => readonly PaletteEntry[] {
  const t = useT();
  const { chat, room } = useWarren();
  const nameOf = useNameOf();
  const roomName = useRoomName();
  const [, navigate] = useLocation();
  return () => {
    const present = room.store.getState();
    const { contacts, conversations } = chat.store.getState();
    const { here, away } = clientOrder({ contacts, conversations }, present);
    const person = (id: string): PaletteEntry => {
      const name = nameOf(id);
      const avatar = peersOf(present)[id]?.profile?.avatar ?? contacts[id]?.avatar ?? null;
      const icon = <ClientAvatar clientId={id} name={name} avatar={avatar} size={28} />;
      const detail = <RouteOf id={id} />;
      return { id, group: "people", name, detail, icon, run: () => navigate(paths.chat.href(id)) };
    };
    const all: PaletteEntry = {
      id: everyone,
      group: "people",
      name: t("people.everyone"),
      detail: roomName,
      icon: <EveryoneAvatar size={28} />,
      run: () => navigate(paths.chat.href(everyone)),
    };
    return [...(present.status === "connected" ? [all] : []), ...[...here, ...away].map(person)];
  };
}

function RouteOf({ id }: { readonly id: string }) {
  return <RouteLine person={usePerson(id)} />;
}

function useCommands(): () => readonly PaletteEntry[] {
  const t = useT();
  const { room } = useWarren();
  const [, navigate] = useLocation();
  const editProfile = useEditProfile();
  const { editRoom, join, leave, shareRoom, showAbout } = useRoomActions();
  const newRoom = useNewRoom();
  const joinByLink = useJoinByLink();
  const rooms = useRooms();
  const { theme, setTheme } = useTheme();
  const command = (name: string, Glyph: Icon, run: () => void, keys?: string): PaletteEntry => ({
    ...{ id: name, group: "commands", name, icon: <Glyph size={18} />, run },
    ...(keys !== undefined && { keys }),
  });
  return () => [
    command(t("arrival.newRoom"), AddIcon, () => void newRoom.choose()),
    command(t("joinByLink.button"), KeyboardIcon, () => void joinByLink()),
    command(t("rooms.all"), MoreIcon, () => void rooms.showAll()),
    command(t("people.shareRoom"), QrIcon, () => void shareRoom()),
    command(t("profile.edit"), EditIcon, () => void editProfile()),
    command(t("join.edit"), EditIcon, () => void editRoom()),
    "roomId" in room.store.getState()
      ? command(t("people.leaveRoom"), LeaveIcon, () => void leave())
      : command(t("profile.join"), LeaveIcon, () => void join()),
    command(t("nav.call"), PhoneIcon, () => navigate(paths.call.href)),
    command(t("nav.files"), FolderIcon, () => navigate(paths.files.href)),
    command(t("nav.settings"), SettingsIcon, () => navigate(paths.settings.href)),
    command(t("doctor.open"), ConnectionIcon, () => navigate(paths.doctor.href)),
    ...themes
      .filter((other) => other !== theme)
      .map((other) =>
        command(t("palette.theme", { theme: t(`theme.${other}`) }), AppearanceIcon, () => setTheme(other)),
      ),
    command(t("nav.shortcuts"), KeyboardIcon, showShortcuts, "?"),
    command(t("arrival.howItWorks"), InfoIcon, () => void showAbout("how-it-works")),
  ];
}
