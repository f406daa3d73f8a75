import { everyone, type KeptRoom } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { confirm } from "../ui/confirm.ts";
import { AddIcon, ChatIcon, CheckIcon, DeleteIcon, KeyboardIcon, LockIcon } from "../ui/icons.ts";
import { MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { useRun } from "../ui/use-run.ts";
import { useProfile, useStore, useWarren } from "../ui/warren-context.tsx";
import { useJoinByLink } from "./join-by-link-button.tsx";
import { useNewRoom } from "./use-new-room.ts";
import { useRoomActions } from "./use-room-actions.ts";

/** The most rooms in the menu: those visited last. */
const shownMax = 12;

/** The rooms this browser has been in, the last one first, and the ways to another. */
export function RoomSwitcherItems() {
  const t = useT();
  const run = useRun();
  const { chat, room } = useWarren();
  const { roomId } = useProfile();
  const rooms = useStore(chat.rooms);
  const { goTo } = useRoomActions();
  const newRoom = useNewRoom();
  const joinByLink = useJoinByLink();
  const current = rooms.find(({ id }) => id === roomId);

  const forget = async ({ id, tag }: KeptRoom): Promise<void> => {
    const question = {
      title: t("rooms.forgetTitle", { room: id }),
      line: t("rooms.forgetLine"),
      verb: t("rooms.forgetVerb"),
    };
    if (!(await confirm(question))) return;
    room.leave();
    await run(() => chat.forgetRoom(tag));
  };
  return (
    <>
      {rooms.slice(0, shownMax).map((kept) => (
        <RoomItem
          key={kept.tag}
          room={kept}
          isCurrent={kept === current}
          onSelect={() => void goTo({ roomId: kept.id, password: kept.password })}
        />
      ))}
      {rooms.length > 0 && <MenuSeparator />}
      <MenuItem
        icon={AddIcon}
        onSelect={() => {
          room.leave();
          newRoom();
        }}
      >
        {t("arrival.newRoom")}
      </MenuItem>
      <MenuItem icon={KeyboardIcon} onSelect={() => void joinByLink()}>
        {t("joinByLink.button")}
      </MenuItem>
      {current !== undefined && (
        <>
          <MenuSeparator />
          <MenuItem icon={DeleteIcon} danger onSelect={() => void forget(current)}>
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

function RoomItem({ room: { id, tag, password }, isCurrent, onSelect }: RoomItemProps) {
  const t = useT();
  const { chat } = useWarren();
  const unread = useStore(
    chat.store,
    ({ conversations }) => conversations[isCurrent ? everyone : tag]?.unread ?? 0,
  );
  return (
    <MenuItem
      icon={isCurrent ? CheckIcon : password === null ? ChatIcon : LockIcon}
      {...(unread > 0 && { shortcut: String(unread) })}
      onSelect={onSelect}
    >
      {id}
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
