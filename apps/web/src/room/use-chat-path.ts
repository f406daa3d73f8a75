import { useEffect } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import { useTab } from "../tab/tab-context.ts";
import { isHome, paths } from "../wiring/paths.ts";
import { useRoomStatus } from "../wiring/warren-context.ts";

/**
 * The target of Chat: the last open conversation, the list if a phone showed that last, or the start page
 * outside a room.
 */
export function useChatPath(): string {
  const [pathname] = useLocation();
  const { parser } = useRouter();
  const status = useRoomStatus();
  const tab = useTab();
  const isOnPage = isHome(pathname) || matchRoute(parser, paths.chat.path, pathname)[0];
  const current = isHome(pathname) ? paths.home.href : pathname;
  useEffect(() => {
    if (isOnPage) tab.lastChatPath = current;
  }, [tab, isOnPage, current]);
  const last = isOnPage ? current : (tab.lastChatPath ?? paths.home.href);
  return status === "connected" ? last : paths.home.href;
}
