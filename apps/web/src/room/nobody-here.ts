import { useT } from "../i18n/use-t.ts";
import { useRoom } from "../wiring/warren-context.tsx";

/** Why nobody can be reached: we are not in a room, or alone in it. */
export function useNobodyHere(): string {
  const t = useT();
  return t(useRoom().status === "connected" ? "composer.nobodyHere" : "profile.notJoined");
}
