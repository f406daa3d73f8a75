import type { VisitedRoom } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ChatIcon, LockIcon, SettingsIcon } from "../../ui/icons.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { useNameOfRoom } from "../room-name.ts";
import { useRoomState } from "./use-room-state.ts";

/** The chosen room: to go to, or to look at its settings. */
interface Choice {
  readonly room: VisitedRoom;
  readonly isToEdit: boolean;
}

/** All visited rooms, those visited last first. */
export function RoomsDialog({ dialog }: DialogSlot<Choice>) {
  const t = useT();
  const rooms = useStore(useWarren().chat.rooms);
  return (
    <Dialog dialog={dialog} title={t("rooms.allTitle")} description={t("rooms.allLine")} closable>
      {rooms.length === 0 ? (
        <EmptyState icon={ChatIcon} title={t("rooms.none")} className="py-6" />
      ) : (
        <ul className="-mx-3 mt-3 flex flex-col">
          {rooms.map((room) => (
            <RoomRow
              key={room.tag}
              room={room}
              onGo={() => dialog.submit({ room, isToEdit: false })}
              onEdit={() => dialog.submit({ room, isToEdit: true })}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface RoomRowProps {
  readonly room: VisitedRoom;
  readonly onGo: () => void;
  readonly onEdit: () => void;
}

function RoomRow({ room, onGo, onEdit }: RoomRowProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const name = useNameOfRoom()(room);
  const { unread, isHere } = useRoomState(room);
  const Glyph = room.password === null ? ChatIcon : LockIcon;
  return (
    <li className="flex items-center gap-1 rounded-row pr-1 hover:bg-hover">
      <button
        type="button"
        className="flex min-h-13 min-w-0 flex-1 cursor-pointer items-center gap-3 rounded-row px-3 text-left"
        onClick={onGo}
      >
        <Glyph size={18} className="shrink-0 text-text-2" />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-body">{name}</span>
          <span className="block truncate text-meta text-text-2">
            {isHere ? t("rooms.here") : t("rooms.lastVisit", { date: format.stamp(room.lastVisit, now) })}
          </span>
        </span>
        {unread > 0 && <Badge count={unread} label={t("nav.unread", { count: unread })} />}
      </button>
      <IconButton icon={SettingsIcon} label={t("rooms.settingsOf", { room: name })} onClick={onEdit} />
    </li>
  );
}
