import type { ChatState, RoomState } from "@warren/core";
import type { OtherTab } from "../../platform/network/room-lock.ts";
import { joinProblemOf } from "../../room/join/join-problem.ts";
import { isElsewhere } from "../../room/join/use-elsewhere.ts";

/** The most urgent persistent state the user should know of; null while all is well. */
export function mostUrgentState(
  room: RoomState,
  online: boolean,
  other: OtherTab,
  { unsaved, loadError }: Pick<ChatState, "unsaved" | "loadError"> = { unsaved: 0, loadError: null },
):
  | "offline"
  | "other-tab"
  | "outdated"
  | "refused"
  | "signalling-lost"
  | "unsaved"
  | "unreadable"
  | "waiting"
  | "not-joined"
  | null {
  if (!online) return "offline";
  if (isElsewhere(room, other)) return "other-tab";
  if (room.status === "disconnected" && room.error?.code === "another-version") return "outdated";
  if (room.status === "disconnected" && joinProblemOf(room.error) !== null) return "refused";
  const lost = room.status === "connected" && room.signalling === "reconnecting";
  if (loadError !== null) return "unreadable";
  if (unsaved > 0) return "unsaved";
  if (lost) return "signalling-lost";
  if (room.status === "connecting" && room.isWaiting) return "waiting";
  return room.status === "disconnected" ? "not-joined" : null;
}
