import type { KeptRoom } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import {
  AddIcon,
  ChatIcon,
  CheckIcon,
  DeleteIcon,
  KeyboardIcon,
  LockIcon,
  MoreIcon,
  MutedIcon,
} from "../../ui/icons.ts";
import { MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";
import { useJoinByLink } from "../join/join-by-link-button.tsx";
import { useNewRoom } from "../join/use-new-room.ts";
import { useKeptRoom, useNameOfRoom } from "../room-name.ts";
import { useRoomState } from "./rooms-dialog.tsx";
import { useRooms } from "./use-rooms.ts";

/** The most rooms in the menu: those visited last. */
const shownMax = 12;

/** The rooms this browser has been in, the last one first, and the ways to another. */
export function RoomSwitcherItems() {
  const t = useT();
  const { chat } = useWarren();
  const kept = useStore(chat.rooms);
  const rooms = useRooms();
  const newRoom = useNewRoom();
  const joinByLink = useJoinByLink();
  const current = useKeptRoom();
  return (
    <>
      {kept.slice(0, shownMax).map((each) => (
        <RoomItem
          key={each.tag}
          room={each}
          isCurrent={each.tag === current?.tag}
          onSelect={() => void rooms.goTo(each)}
        />
      ))}
      {kept.length > 0 && (
        <>
          <MenuItem icon={MoreIcon} onSelect={() => void rooms.showAll()}>
            {t("rooms.all")}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={AddIcon} onSelect={() => void newRoom.choose()}>
        {t("arrival.newRoom")}
      </MenuItem>
      <MenuItem icon={KeyboardIcon} onSelect={() => void joinByLink()}>
        {t("joinByLink.button")}
      </MenuItem>
      {current !== undefined && (
        <>
          <MenuSeparator />
          <MenuItem icon={DeleteIcon} danger onSelect={() => void rooms.forget(current)}>
            {t("rooms.forget")}
          </MenuItem>
        </>
      )}
    </>
  );
}

interface RoomItemProps {
  readonly room: KeptRoom;
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
