import { generatePassword, newRoomId, type Profile } from "@warren/core";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { useLinkTo } from "../link/use-join-link.ts";
import { useLinkActions } from "../link/use-link-actions.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { NewRoomDialog } from "./new-room-dialog.tsx";

interface NewRoom {
  /**
   * Creates a room that can only be opened by its link, copies the link, and joins. Must be called synchronously in a click
   * handler.
   */
  create(): void;
  /** Asks for its name and who can join, and creates it then. */
  choose(): Promise<void>;
}

/** The ways to a new room; the one that we are in is left for it, after a confirmation if transfers would stop. */
export function useNewRoom(): NewRoom {
  const { chat, profile } = useWarren();
  const { goTo } = useRoomActions();
  const { copy } = useLinkActions();
  const linkTo = useLinkTo();
  const make = (details: Pick<Profile, "roomId" | "password">): void =>
    void goTo(details, () => {
      chat.updateRoom(details, { creator: profile.get().clientId });
      // Before the join has finished: browsers only allow clipboard writes shortly after a click.
      void copy(linkTo(details));
    });
  return {
    create: () => make({ roomId: newRoomId(), password: generatePassword() }),
    choose: async () => {
      const result = await openDialog(NewRoomDialog, {});
      if (!result.cancelled) make(result.value);
    },
  };
}
