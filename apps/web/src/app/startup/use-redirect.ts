import { peersOf } from "@warren/core";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { isOccupied } from "../../ui/occupied.ts";
import { useWarren } from "../../ui/warren-context.tsx";
import { paths } from "../paths.ts";

/**
 * Goes to the conversation with whoever connects and was chosen for that (SPEC §2, redirect after connection): once for
 * each time they come into the room, and not while a person is in the middle of something.
 */
export function useRedirect(): void {
  const { chat, room } = useWarren();
  const [, navigate] = useLocation();
  useEffect(() => {
    /** Who has connected since they came: a connection that drops and is back leads nowhere. */
    let met: ReadonlySet<string> = new Set();
    return room.store.subscribe((state) => {
      const peers = peersOf(state);
      const here = Object.values(peers).filter(({ clientId, ready }) => ready || met.has(clientId));
      const fresh = here.filter(({ clientId }) => !met.has(clientId));
      met = new Set(here.map(({ clientId }) => clientId));
      const chosen = fresh.find(({ clientId }) => chat.store.getState().contacts[clientId]?.redirect);
      if (chosen && !isOccupied()) navigate(paths.chat(chosen.clientId));
    });
  }, [chat, room, navigate]);
}
