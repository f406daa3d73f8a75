import { generatePassword, newRoomId } from "@warren/core";
import { useWarren } from "../ui/warren-context.tsx";
import { useLinkTo } from "./use-join-link.ts";
import { useLinkActions } from "./use-link-actions.ts";
import { useRoomActions } from "./use-room-actions.ts";

/** Makes a room that only its link opens, copies the link, and joins. Call it in the very handler of a press. */
export function useNewRoom(): () => void {
  const { profile } = useWarren();
  const { join } = useRoomActions();
  const { copy } = useLinkActions();
  const linkTo = useLinkTo();
  return () => {
    const room = { roomId: newRoomId(), password: generatePassword() };
    profile.update(room);
    // Not after the join: browsers let a page write to the clipboard while the press is fresh.
    void copy(linkTo(room));
    void join();
  };
}
