import type { RoomState } from "@warren/core";
import { useEffect } from "react";
import type { OtherTab } from "../../platform/network/room-lock.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useProfile, useRoom, useRoomStatus, useStore } from "../../wiring/warren-context.ts";

/** Whether another tab of this browser is in a room, and this one in none. */
export function isElsewhere(room: RoomState, other: OtherTab): boolean {
  if (room.status !== "connected" && other.status === "there") return true;
  // If the browser cannot report another tab, the server did.
  const isReplaced = room.status === "disconnected" && room.error?.code === "signalling-replaced";
  return isReplaced && other.status === "unseen";
}

/** Another tab of this browser in a room; watched only while this one is in none. */
export function useOtherTab(): OtherTab {
  const { roomLock } = usePlatform();
  const isOfUse = useRoomStatus() !== "connected";
  useEffect(() => (isOfUse ? roomLock.watch() : undefined), [roomLock, isOfUse]);
  return useStore(roomLock.other);
}

/** The room that another tab of this browser is in, while this one is in none; null if there is no such tab. */
export function useElsewhere(): string | null {
  const room = useRoom();
  const { roomId } = useProfile();
  const other = useOtherTab();
  if (!isElsewhere(room, other)) return null;
  return (other.status === "there" ? other.roomId : null) ?? roomId;
}
