import { type ConversationId, everyone, isRoomConversation } from "@warren/core";
import { useNameOf } from "../../people/use-person.ts";
import { useNameOfRoom, useRoomName } from "../../room/room-name.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";

/** Returns a function that names a conversation; null for a forgotten room, which nothing leads to. */
export function useNameOfConversation(): (id: ConversationId) => string | null {
  const { chat } = useWarren();
  const rooms = useStore(chat.rooms);
  const nameOf = useNameOf();
  const nameOfRoom = useNameOfRoom();
  const roomName = useRoomName();
  return (id) => {
    if (id === everyone) return roomName;
    if (!isRoomConversation(id)) return nameOf(id);
    const visited = rooms.find(({ tag }) => tag === id);
    return visited === undefined ? null : nameOfRoom(visited);
  };
}
