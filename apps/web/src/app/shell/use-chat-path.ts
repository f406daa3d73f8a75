import { useState } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import { useRoom } from "../../ui/warren-context.tsx";
import { paths } from "../paths.ts";

/**
 * The target of Chat: the last open conversation, the list if a phone showed that last, or the start page
 * outside a room.
 */
export function useChatPath(): string {
  const [pathname] = useLocation();
  const { parser } = useRouter();
  const { status } = useRoom();
  const [last, setLast] = useState<string>(paths.home);
  const isOfChat = pathname === paths.home || matchRoute(parser, paths.chatPattern, pathname)[0];
  if (isOfChat && pathname !== last) setLast(pathname);
  return status === "connected" ? last : paths.home;
}
