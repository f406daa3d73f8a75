import { everyone, peersOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { isReturn } from "../room/room-address.ts";
import { isEmptyDraft } from "../tab/drafts.ts";
import { useTab } from "../tab/tab-context.ts";
import { paths } from "../wiring/paths.ts";
import { useWarren } from "../wiring/warren-context.tsx";

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
      const chosen = fresh.find(({ clientId }) => chat.store.getState().contacts[clientId]?.redirect);
      if (chosen && !busy.isBusy()) navigate(paths.chat.href(chosen.clientId));
    });
  }, [chat, room, busy, navigate]);
}

/**
 * Opens the conversation with a peer that arrives and is the only other one here, once per membership. Waits
 * for open dialogs and pickers; a user who is writing to everyone, or came back to the room by Back or Forward, is left there.
 */
export function useOpenOnArrival(onHomePage: boolean): void {
  const { room } = useWarren();
  const { busy, drafts } = useTab();
  const [, navigate] = useLocation();
  const openedForMembership = useRef<number | null>(null);
  useEffect(() => {
    if (!onHomePage) return;
    let arrived: ClientId | null = null;
    const open = (): void => {
      if (arrived === null || busy.isBusy()) return;
      const [peer, another] = Object.values(peersOf(room.store.getState()));
      if (peer?.clientId === arrived && !another && !isReturn()) navigate(paths.chat.href(arrived));
      arrived = null;
    };
    const stopFollowing = room.store.subscribe((now, before) => {
      const [peer, another] = Object.values(peersOf(now));
      if (
        now.status !== "connected" ||
        !peer?.ready ||
        another ||
        openedForMembership.current === now.joinedAt
      )
        return;
      if (peersOf(before)[peer.clientId]?.ready === true) return;
      openedForMembership.current = now.joinedAt;
      if (!isEmptyDraft(drafts.of(everyone))) return;
      arrived = peer.clientId;
      open();
    });
    const stopWaiting = busy.onIdle(open);
    return () => {
      stopFollowing();
      stopWaiting();
    };
  }, [onHomePage, room, busy, drafts, navigate]);
}
