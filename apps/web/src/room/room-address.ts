import { buildJoinLink, readJoinLink } from "@warren/core";
import { useCallback } from "react";
import { useLocation } from "wouter";
import { isHome } from "../ui/paths.ts";

/** The address of a room while in it: the link to it, with nothing that is secret. */
export function roomAddress(roomId: string): string {
  return buildJoinLink("/", { roomId, password: null, servers: { stuns: [], turns: [] }, by: null });
}

/** The room that the page's address names; null for none. */
export function roomOfAddress(pathname: string): string | null {
  // The router's own path is decoded, and not all of it.
  return isHome(pathname) ? readJoinLink(location.href).roomId : null;
}

/** Returns what opens the page of a room, unless it is open; the start page is no step of the history then. */
export function useShowRoom(): (roomId: string) => void {
  const [pathname, navigate] = useLocation();
  return useCallback(
    (roomId) => {
      const named = roomOfAddress(pathname);
      if (named !== roomId) navigate(roomAddress(roomId), { replace: isHome(pathname) && named === null });
    },
    [pathname, navigate],
  );
}
