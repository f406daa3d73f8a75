import { useT } from "../i18n/use-t.ts";
import { useRoomStatus } from "../wiring/warren-context.ts";

/** Why nobody can be reached: we are not in a room, or alone in it. */
export function useNobodyHere(): string {
  const t = useT();
  return t(useRoomStatus() === "connected" ? "composer.nobodyHere" : "profile.notJoined");
}
