import type { VisitedRoom } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import {
  AddIcon,
  ChatIcon,
  CheckIcon,
  KeyboardIcon,
  LockIcon,
  MutedIcon,
  RoomsIcon,
} from "../../ui/icons.ts";
import { MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { useJoinByLink } from "../join/use-join-by-link.ts";
import { useNewRoom } from "../join/use-new-room.ts";
import { useNameOfRoom, useVisitedRoom } from "../room-name.ts";
import { useRoomState } from "./use-room-state.ts";
import { useRooms } from "./use-rooms.ts";

/** The most rooms in the menu: those visited last. */
const shownMax = 12;

/** The rooms this browser has been in, the last one first, and the ways to another. */
export function RoomSwitcherItems() {
  const t = useT();
  const { chat } = useWarren();
  const visited = useStore(chat.rooms);
  const rooms = useRooms();
  const newRoom = useNewRoom();
  const joinByLink = useJoinByLink();
  const current = useVisitedRoom();
  return (
    <>
      {visited.slice(0, shownMax).map((each) => (
        <RoomItem
          key={each.tag}
          room={each}
          isCurrent={each.tag === current?.tag}
          onSelect={() => void rooms.goTo(each)}
        />
      ))}
      {visited.length > 0 && (
        <>
          <MenuItem icon={RoomsIcon} onSelect={() => void rooms.showAll()}>
            {t("rooms.all")}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={AddIcon} onSelect={() => void newRoom.choose()}>
        {t("arrival.newRoom")}
      </MenuItem>
      <MenuItem icon={KeyboardIcon} onSelect={() => void joinByLink()}>
        {t("joinByLink.command")}
      </MenuItem>
    </>
  );
}

interface RoomItemProps {
  readonly room: VisitedRoom;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
}

function RoomItem({ room, isCurrent, onSelect }: RoomItemProps) {
  const t = useT();
  const name = useNameOfRoom()(room);
  const { unread } = useRoomState(room);
  return (
    <MenuItem
      icon={isCurrent ? CheckIcon : room.password === null ? ChatIcon : LockIcon}
      {...(unread > 0 && { shortcut: String(unread) })}
      onSelect={onSelect}
    >
      {name}
      {room.muted && (
        <>
          <MutedIcon size={14} className="ml-2 inline-block text-text-2" />
          <span className="sr-only">{t("people.muted")}</span>
        </>
      )}
      {isCurrent && <span className="sr-only">{t("rooms.current")}</span>}
      {unread > 0 && (
        <>
          <span aria-hidden="true" className="ml-2 inline-block size-2 rounded-full bg-accent" />
          <span className="sr-only">{t("nav.unread", { count: unread })}</span>
        </>
      )}
    </MenuItem>
  );
}
