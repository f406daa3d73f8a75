import type { RoomState } from "@warren/core";
import type { Status } from "../../ui/status-dot.tsx";

/** How my own avatar's dot stands for being in a room. */
export function ownStatus(room: RoomState): Status {
  if (room.status !== "connected") return room.status === "connecting" ? "connecting" : "offline";
  return room.signalling === "online" ? "online" : "reconnecting";
}
