import type { RoomState } from "@warren/core";
import type { Status } from "../../ui/status-dot.tsx";

/** Maps the room state to the dot of my own avatar. */
export function ownStatus(room: RoomState): Status {
  if (room.status !== "connected") return room.status === "connecting" ? "connecting" : "offline";
  return room.signalling === "online" ? "online" : "reconnecting";
}
