import { everyone } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { useIsMuted } from "../people/attention.ts";
import { useMediaQuery } from "../ui/hooks/use-media-query.ts";
import {
  EditIcon,
  KeyboardIcon,
  LeaveIcon,
  MutedIcon,
  QrIcon,
  SearchIcon,
  SettingsIcon,
} from "../ui/icons.ts";
import { MenuCheck, MenuItem, MenuSeparator } from "../ui/overlays/menu.tsx";
import { useOpenPalette } from "../wiring/palette-context.ts";
import { printedKeys } from "../wiring/shortcuts/printed-keys.ts";
import { showShortcuts } from "../wiring/shortcuts/shortcuts-dialog.tsx";
import { useRoomStatus, useWarren } from "../wiring/warren-context.ts";
import { useVisitedRoom } from "./room-name.ts";
import { useRooms } from "./rooms/use-rooms.ts";
import { useRoomActions } from "./use-room-actions.ts";

/** Mutes the room we are in, or were in last, once we have been in it. */
export function MuteRoomItem() {
  const t = useT();
  const { chat } = useWarren();
  const visited = useVisitedRoom();
  const isMuted = useIsMuted(everyone);
  return (
    visited !== undefined && (
      <MenuCheck icon={MutedIcon} checked={isMuted} onChange={(muted) => chat.setMuted(everyone, muted)}>
        {t("conversation.muteRoom")}
      </MenuCheck>
    )
  );
}

/** The items of the room's menu. In the list of people, a button beside the menu already shares the room. */
export function RoomMenuItems({ inList }: { readonly inList: boolean }) {
  const t = useT();
  const status = useRoomStatus();
  const visited = useVisitedRoom();
  const rooms = useRooms();
  const openPalette = useOpenPalette();
  const isTouched = useMediaQuery("(pointer: coarse)");
  const { editRoom, join, leave, shareRoom } = useRoomActions();
  return (
    <>
      {!inList && (
        <MenuItem icon={QrIcon} onSelect={() => void shareRoom()}>
          {t("people.shareRoom")}
        </MenuItem>
      )}
      {visited === undefined ? (
        <MenuItem icon={EditIcon} onSelect={() => void editRoom()}>
          {t("join.edit")}
        </MenuItem>
      ) : (
        <MenuItem icon={SettingsIcon} onSelect={() => void rooms.edit(visited)}>
          {t("rooms.settings")}
        </MenuItem>
      )}
      <MuteRoomItem />
      {openPalette !== null && (
        <MenuItem icon={SearchIcon} shortcut={printedKeys("Ctrl K")} onSelect={openPalette}>
          {t("palette.open")}
        </MenuItem>
      )}
      {inList && !isTouched && (
        <MenuItem icon={KeyboardIcon} shortcut="?" onSelect={showShortcuts}>
          {t("nav.shortcuts")}
        </MenuItem>
      )}
      <MenuSeparator />
      {status === "disconnected" ? (
        <MenuItem icon={LeaveIcon} onSelect={() => void join()}>
          {t("profile.join")}
        </MenuItem>
      ) : (
        <MenuItem icon={LeaveIcon} danger onSelect={() => void leave()}>
          {t("people.leaveRoom")}
        </MenuItem>
      )}
    </>
  );
}
