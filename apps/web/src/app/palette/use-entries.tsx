import { everyone, peersOf } from "@warren/core";
import { useLocation } from "wouter";
import { peopleOrder } from "../../chat/list/people-order.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { EveryoneAvatar, PersonAvatar } from "../../people/person-avatar.tsx";
import { RouteLine } from "../../people/route-line.tsx";
import { useEditProfile } from "../../people/use-edit-profile.ts";
import { useNameOf, usePerson } from "../../people/use-person.ts";
import { useJoinByLink } from "../../room/join/use-join-by-link.ts";
import { useNewRoom } from "../../room/join/use-new-room.ts";
import { useNameOfRoom, useRoomName, useVisitedRoom } from "../../room/room-name.ts";
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
  PhoneIcon,
  QrIcon,
  RoomsIcon,
  SettingsIcon,
} from "../../ui/icons.ts";
import { paths } from "../../wiring/paths.ts";
import { themes, useTheme } from "../../wiring/preferences/use-theme.ts";
import { showShortcuts } from "../../wiring/shortcuts/shortcuts-dialog.tsx";
import { useWarren } from "../../wiring/warren-context.ts";
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
      .map((visited): PaletteEntry => {
        const unread = conversations[visited.tag]?.unread ?? 0;
        const visit = t("rooms.lastVisit", { date: format.stamp(visited.lastVisit, Date.now()) });
        return {
          id: visited.tag,
          group: "rooms",
          name: nameOfRoom(visited),
          alias: visited.id,
          detail: unread > 0 ? format.items([t("nav.unread", { count: unread }), visit]) : visit,
          icon: visited.password === null ? <ChatIcon size={18} /> : <LockIcon size={18} />,
          run: () => void rooms.goTo(visited),
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
    const { here, away } = peopleOrder({ contacts, conversations }, present);
    const person = (id: string): PaletteEntry => {
      const name = nameOf(id);
      const avatar = peersOf(present)[id]?.profile?.avatar ?? contacts[id]?.avatar ?? null;
      const icon = <PersonAvatar id={id} name={name} avatar={avatar} size={28} />;
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

/** A text without values, which names a command in every language. */
type CommandKey =
  | "arrival.howItWorks"
  | "arrival.newRoom"
  | "doctor.open"
  | "join.edit"
  | "joinByLink.command"
  | "nav.call"
  | "nav.files"
  | "nav.settings"
  | "nav.shortcuts"
  | "people.leaveRoom"
  | "people.shareRoom"
  | "profile.edit"
  | "profile.join"
  | "rooms.all"
  | "rooms.settings";

function useCommands(): () => readonly PaletteEntry[] {
  const t = useT();
  const { room } = useWarren();
  const [, navigate] = useLocation();
  const editProfile = useEditProfile();
  const { editRoom, join, leave, shareRoom, showAbout } = useRoomActions();
  const newRoom = useNewRoom();
  const joinByLink = useJoinByLink();
  const rooms = useRooms();
  const visited = useVisitedRoom();
  const { theme, setTheme } = useTheme();
  const command = (
    key: CommandKey,
    Glyph: Icon,
    run: () => void,
    more: Pick<PaletteEntry, "shortcut" | "isFallback"> = {},
  ): PaletteEntry => ({
    ...{ id: key, group: "commands", name: t(key), icon: <Glyph size={18} />, run },
    ...more,
  });
  return () => [
    command("arrival.newRoom", AddIcon, () => void newRoom.choose(), { isFallback: true }),
    command("joinByLink.command", KeyboardIcon, () => void joinByLink(), { isFallback: true }),
    command("rooms.all", RoomsIcon, () => void rooms.showAll(), { isFallback: true }),
    command("people.shareRoom", QrIcon, () => void shareRoom()),
    command("profile.edit", EditIcon, () => void editProfile()),
    "roomId" in room.store.getState()
      ? command("people.leaveRoom", LeaveIcon, () => void leave())
      : command("profile.join", LeaveIcon, () => void join()),
    command("nav.call", PhoneIcon, () => navigate(paths.call.href)),
    command("nav.files", FolderIcon, () => navigate(paths.files.href)),
    command("nav.settings", SettingsIcon, () => navigate(paths.settings.href)),
    visited === undefined
      ? command("join.edit", EditIcon, () => void editRoom())
      : command("rooms.settings", SettingsIcon, () => void rooms.edit(visited)),
    command("doctor.open", ConnectionIcon, () => navigate(paths.doctor.href)),
    ...themes
      .filter((other) => other !== theme)
      .map(
        (other): PaletteEntry => ({
          id: `theme.${other}`,
          group: "commands",
          name: t("palette.theme", { theme: t(`theme.${other}`) }),
          icon: <AppearanceIcon size={18} />,
          run: () => setTheme(other),
        }),
      ),
    command("nav.shortcuts", KeyboardIcon, showShortcuts, { shortcut: "help" }),
    command("arrival.howItWorks", InfoIcon, () => void showAbout("how-it-works")),
  ];
}
