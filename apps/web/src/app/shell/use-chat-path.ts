import { useState } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import { useRoom } from "../../ui/warren-context.tsx";
import { paths } from "../paths.ts";

/** Where Chat leads: to the conversation last open, to the list of a phone where that was, and outside a room to the way in. */
export function useChatPath(): string {
  const [pathname] = useLocation();
  const { parser } = useRouter();
  const { status } = useRoom();
  const [last, setLast] = useState<string>(paths.home);
  const isOfChat = pathname === paths.home || matchRoute(parser, paths.chatPattern, pathname)[0];
  if (isOfChat && pathname !== last) setLast(pathname);
  return status === "connected" ? last : paths.home;
}
