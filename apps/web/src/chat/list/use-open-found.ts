import { type ChatMessage, everyone, isRoomConversation } from "@warren/core";
import { useLocation } from "wouter";
import { useRooms } from "../../room/rooms/use-rooms.ts";
import { useTab } from "../../tab/tab-context.ts";
import { paths } from "../../wiring/paths.ts";
import { useWarren } from "../../wiring/warren-context.ts";

/** Returns a function that shows a message in its conversation; for one of another room, it goes to that room. */
export function useOpenFound(): (message: ChatMessage) => void {
  const { chat } = useWarren();
  const { openLog } = useTab();
  const rooms = useRooms();
  const [, navigate] = useLocation();
  const open = async ({ conversation, key }: ChatMessage): Promise<void> => {
    const { room } = chat.store.getState();
    const other = chat.rooms.getState().find(({ tag }) => tag === conversation && tag !== room);
    if (other !== undefined && !(await rooms.goTo(other))) return;
    openLog.scrollTo(key);
    navigate(paths.chat.href(isRoomConversation(conversation) ? everyone : conversation));
  };
  return (message) => void open(message);
}
