import { type ChatState, peersOf, type RoomState } from "@warren/core";
import type { ErrorDescription } from "@warren/protocol";
import type { OtherTab } from "../../platform/network/room-lock.ts";
import { joinProblemOf } from "../../room/join/join-problem.ts";
import { isElsewhere } from "../../room/join/use-elsewhere.ts";
import { isHome, isOfConversation, paths } from "../../wiring/paths.ts";

interface Situation {
  readonly room: RoomState;
  readonly online: boolean;
  readonly otherTab: OtherTab;
  readonly stored: Pick<ChatState, "unsaved" | "loadError">;
  readonly pathname: string;
  /** Whether the page asks about a link to a room. */
  readonly isInvited: boolean;
}

type UrgentState =
  | { readonly kind: "refused"; readonly error: ErrorDescription }
  | {
      readonly kind:
        | "offline"
        | "other-tab"
        | "outdated"
        | "signalling-lost"
        | "unsaved"
        | "unreadable"
        | "waiting"
        | "not-joined";
    };

/** The most urgent lasting state that the page does not show itself; null if there is none. */
export function mostUrgentState({
  room,
  online,
  otherTab,
  stored,
  pathname,
  isInvited,
}: Situation): UrgentState | null {
  if (!online) return { kind: "offline" };
  // The start page says so itself, unless it asks about a link.
  if (isElsewhere(room, otherTab) && (isInvited || !isHome(pathname))) return { kind: "other-tab" };
  const error = room.status === "disconnected" ? room.error : null;
  if (error?.code === "another-version") return { kind: "outdated" };
  // The start page shows it beside the field that fixes it.
  if (error !== null && joinProblemOf(error) !== null && !isHome(pathname)) return { kind: "refused", error };
  if (stored.loadError !== null) return { kind: "unreadable" };
  if (stored.unsaved > 0) return { kind: "unsaved" };
  const isLost = room.status === "connected" && room.signalling === "reconnecting";
  // The page of who waits for somebody says so itself.
  const isAlone = isHome(pathname) && Object.keys(peersOf(room)).length === 0;
  if (isLost && !isAlone) return { kind: "signalling-lost" };
  // The start page shows both itself, and other pages are of use outside of a room.
  if (!isOfConversation(pathname) && pathname !== paths.call.path) return null;
  if (room.status === "connecting" && room.isWaiting) return { kind: "waiting" };
  return room.status === "disconnected" ? { kind: "not-joined" } : null;
}
