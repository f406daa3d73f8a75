import { matchRoute, useLocation, useRouter } from "wouter";
import { isHome, paths } from "../wiring/paths.ts";
import { useRoom } from "../wiring/warren-context.tsx";

/** Kept until the page closes. */
let last: string = paths.home;

/**
 * The target of Chat: the last open conversation, the list if a phone showed that last, or the start page
 * outside a room.
 */
export function useChatPath(): string {
  const [pathname] = useLocation();
  const { parser } = useRouter();
  const { status } = useRoom();
  if (isHome(pathname)) last = paths.home;
  else if (matchRoute(parser, paths.chatPattern, pathname)[0]) last = pathname;
  return status === "connected" ? last : paths.home;
}
