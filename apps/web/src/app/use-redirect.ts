import { type ChatState, type Peer, peersOf } from "@warren/core";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useTab } from "../tab/tab-context.ts";
import { paths } from "../wiring/paths.ts";
import { useWarren } from "../wiring/warren-context.ts";

/**
 * Opens the conversation with a peer chosen for "redirect after connection" when it connects: once
 * per arrival in the room, and not while the user is busy.
 */
export function useRedirect(): void {
  const { chat, room } = useWarren();
  const { busy } = useTab();
  const [, navigate] = useLocation();
  useEffect(() => {
    /** Peers that have connected since they arrived; a reconnect does not redirect again. */
    let met: ReadonlySet<string> = new Set();
    return room.store.subscribe((state) => {
      const peers = peersOf(state);
      const here = Object.values(peers).filter(({ clientId, ready }) => ready || met.has(clientId));
      const fresh = here.filter(({ clientId }) => !met.has(clientId));
      met = new Set(here.map(({ clientId }) => clientId));
      const chosen = redirectTarget(chat.store.getState(), fresh);
      if (chosen && !busy.isBusy()) navigate(paths.chat.href(chosen.clientId));
    });
  }, [chat, room, busy, navigate]);
}

/** The first of these peers that is reachable and was chosen for "redirect after connection". */
export function redirectTarget({ contacts }: ChatState, peers: readonly Peer[]): Peer | undefined {
  return peers.find(({ clientId, ready }) => ready && contacts[clientId]?.redirect);
}
