import { type ConversationId, everyone, peersOf, untilState, type Warren } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { historyState } from "../room/room-address.ts";
import { isEmptyDraft } from "../tab/drafts.ts";
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
      const chosen = fresh.find(({ clientId }) => chat.store.getState().contacts[clientId]?.redirect);
      if (chosen && !busy.isBusy()) navigate(paths.chat.href(chosen.clientId));
    });
  }, [chat, room, busy, navigate]);
}

/**
 * Opens a conversation when the first peer is met in the room, once per membership. Waits for open dialogs and pickers; a user who
 * has begun to write to everyone goes on with that, and one who came back to the room by Back or Forward is left there.
 * In a new room the first peer may have written to everyone before we came, which arrives after the meeting: it is opened then.
 * @param conversation the one that is open; null on the home page, and undefined elsewhere.
 * @param showsEveryone whether the home page shows the conversation with everyone itself.
 */
export function useOpenOnArrival(
  conversation: ConversationId | null | undefined,
  showsEveryone: boolean,
): void {
  const { chat, room } = useWarren();
  const { busy, drafts } = useTab();
  const [, navigate] = useLocation();
  const openedForMembership = useRef<number | null>(null);
  /** The peer whose conversation we opened on a first visit, until something else is. */
  const openedPeer = useRef<ClientId | null>(null);
  const onHomePage = conversation === null;
  useEffect(() => {
    const peer = openedPeer.current;
    if (peer === null || onHomePage) return;
    const end = (): void => {
      openedPeer.current = null;
    };
    if (conversation !== peer) return end();
    const follow = (): void => {
      const { conversations } = chat.store.getState();
      const earlier = conversations[everyone]?.messages.some(({ earlierBy }) => earlierBy === peer);
      if (!earlier || conversations[peer]?.messages.length || busy.isBusy()) return;
      end();
      navigate(paths.chat.href(everyone), { replace: true });
    };
    follow();
    const stop = chat.store.subscribe(() => openedPeer.current !== null && follow());
    return () => {
      stop();
      end();
    };
  }, [conversation, onHomePage, chat, busy, navigate]);
  useEffect(() => {
    if (!onHomePage) return;
    let isOver = false;
    /** The conversation to open, for a peer that has to be alone with us still. */
    let waiting: { readonly conversation: ConversationId; readonly first: ClientId } | null = null;
    const open = (): void => {
      if (isOver || waiting === null || busy.isBusy()) return;
      const { conversation, first } = waiting;
      waiting = null;
      if (historyState().isReturn || (conversation === everyone && showsEveryone)) return;
      const [peer, another] = Object.values(peersOf(room.store.getState()));
      if (conversation === everyone || (peer?.clientId === first && !another))
        navigate(paths.chat.href(conversation));
    };
    const decide = async (first: ClientId, isPair: boolean, joinedAt: number): Promise<void> => {
      waiting = { first, conversation: await returningTo(chat, isPair ? first : null, joinedAt) };
      open();
    };
    const stopFollowing = room.store.subscribe((now, before) => {
      if (now.status !== "connected" || openedForMembership.current === now.joinedAt) return;
      const peers = Object.values(now.peers);
      const first = peers.find(({ ready }) => ready)?.clientId;
      if (first === undefined || peersOf(before)[first]?.ready === true) return;
      openedForMembership.current = now.joinedAt;
      const isPair = peers.length === 1 && isEmptyDraft(drafts.of(everyone));
      if (isFirstVisit(chat, now.joinedAt)) {
        if (isPair) openedPeer.current = first;
        waiting = { first, conversation: isPair ? first : everyone };
        open();
      } else void decide(first, isPair, now.joinedAt);
    });
    const stopWaiting = busy.onIdle(open);
    return () => {
      isOver = true;
      stopFollowing();
      stopWaiting();
    };
  }, [onHomePage, showsEveryone, chat, room, busy, drafts, navigate]);
}

/** Whether we have not been in the room before this membership: nothing can be waiting for us in it. */
function isFirstVisit({ rooms, store }: Warren["chat"], joinedAt: number): boolean {
  const { room } = store.getState();
  const visited = rooms.getState().find(({ tag }) => tag === room);
  return visited === undefined || visited.firstVisit >= joinedAt;
}

/**
 * The conversation that opens when we meet somebody in a room that we return to: where there is something unread, else where we
 * were. What was said to everyone while we were away arrives after the meeting, so where something was said to everyone, or
 * somebody else was met, it is that conversation. A peer whom nobody preceded is met as in a new room.
 * @param peer the only other one here; null if there are several, or everyone is being written to.
 */
async function returningTo(
  chat: Warren["chat"],
  peer: ClientId | null,
  joinedAt: number,
): Promise<ConversationId> {
  if (peer === null) return everyone;
  await untilState(chat.store, ({ loaded }) => loaded);
  const { room, conversations } = chat.store.getState();
  const [common, own] = [conversations[everyone], conversations[peer]];
  if (common?.unread) return everyone;
  if (own?.unread) return peer;
  if (common?.messages.length) return everyone;
  if (own?.messages.length) return peer;
  const members = await chat.membersOf(room).catch(() => ({}));
  return Object.values(members).some(({ metAt }) => metAt < joinedAt) ? everyone : peer;
}
