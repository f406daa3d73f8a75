import { generatePassword, newRoomId } from "@warren/core";
import { useWarren } from "../ui/warren-context.tsx";
import { useShowRoom } from "./room-address.ts";
import { useLinkTo } from "./use-join-link.ts";
import { useLinkActions } from "./use-link-actions.ts";
import { useRoomActions } from "./use-room-actions.ts";

/**
 * Creates a room that can only be opened by its link, copies the link, and joins. Must be called
 * synchronously in a click handler.
 */
export function useNewRoom(): () => void {
  const { chat, profile } = useWarren();
  const { join } = useRoomActions();
  const showRoom = useShowRoom();
  const { copy } = useLinkActions();
  const linkTo = useLinkTo();
  return () => {
    const room = { roomId: newRoomId(), password: generatePassword() };
    chat.noteRoom(room.roomId, { creator: profile.get().clientId });
    profile.update(room);
    showRoom(room.roomId);
    // Before the join has finished: browsers only allow clipboard writes shortly after a click.
    void copy(linkTo(room));
    void join();
  };
}
