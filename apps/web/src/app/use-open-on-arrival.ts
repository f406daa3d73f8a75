import {
  type ConversationId,
  everyone,
  peersOf,
  type RoomState,
  untilState,
  type Warren,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { historyState } from "../room/room-address.ts";
import { isEmptyDraft } from "../tab/drafts.ts";
import { useTab } from "../tab/tab-context.ts";
import { useAbortableEffect } from "../ui/hooks/use-abortable-effect.ts";
import { useStableCallback } from "../ui/hooks/use-stable-callback.ts";
import { paths } from "../wiring/paths.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { redirectTarget } from "./use-redirect.ts";

/**
 * Opens a conversation when the first peer is met in the room, once per membership. Waits for open dialogs and pickers; a user who
 * has begun to write to everyone goes on with that, and one who came back to the room by Back or Forward is left there. Whom the
 * person chose for "redirect after connection" `useRedirect` opens.
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
  const followEarlier = useFollowEarlier(conversation);
  /** The beginning of the membership in which we last met somebody. */
  const metSince = useRef<number | null>(null);
  const onHomePage = conversation === null;
  useAbortableEffect(
    (signal) => {
      if (!onHomePage) return;
      const open = (chosen: ConversationId): void => {
        if (historyState().isReturn || (chosen === everyone && showsEveryone)) return;
        const [peer, another] = Object.values(peersOf(room.store.getState()));
        // Since it was chosen, others may have come, or the peer may have gone.
        if (chosen === everyone || (peer?.clientId === chosen && !another)) navigate(paths.chat.href(chosen));
      };
      const stop = room.store.subscribe((now, before) => {
        const meeting = firstMeeting(before, now);
        if (meeting === null || meeting.joinedAt === metSince.current) return;
        metSince.current = meeting.joinedAt;
        const isRedirected = redirectTarget(chat.store.getState(), Object.values(peersOf(now))) !== undefined;
        if (isRedirected && !busy.isBusy()) return;
        const { first, joinedAt } = meeting;
        const openWhenIdle = (chosen: ConversationId): void =>
          busy.whenIdle(signal, () => {
            if (metSince.current === joinedAt) open(chosen);
          });
        const peer = meeting.isPair && isEmptyDraft(drafts.of(everyone)) ? first : null;
        if (isFirstVisit(chat, joinedAt)) {
          if (peer !== null) followEarlier(peer);
          openWhenIdle(peer ?? everyone);
        } else void returningTo(chat, peer, joinedAt).then(openWhenIdle);
      });
      signal.addEventListener("abort", stop);
    },
    [onHomePage, showsEveryone, chat, room, busy, drafts, navigate, followEarlier],
  );
}

/**
 * In a new room the first peer may have written to everyone before we came, and these messages arrive after the meeting. The
 * conversation with everyone then replaces the peer's on the screen, unless the peer's has messages.
 * @param conversation as in {@link useOpenOnArrival}
 * @returns a function that watches for such messages of a peer, as long as the peer's conversation, opened next, is on the screen.
 */
function useFollowEarlier(conversation: ConversationId | null | undefined): (peer: ClientId) => void {
  const { chat } = useWarren();
  const { busy } = useTab();
  const [, navigate] = useLocation();
  const followed = useRef<ClientId | null>(null);
  useEffect(() => {
    const peer = followed.current;
    if (conversation === null || peer === null) return;
    followed.current = null;
    if (conversation !== peer) return;
    const stop = chat.store.subscribe(() => follow());
    const follow = (): void => {
      const { conversations } = chat.store.getState();
      const earlier = conversations[everyone]?.messages.some(({ earlierBy }) => earlierBy === peer);
      if (!earlier || conversations[peer]?.messages.length || busy.isBusy()) return;
      stop();
      navigate(paths.chat.href(everyone), { replace: true });
    };
    follow();
    return stop;
  }, [conversation, chat, busy, navigate]);
  return useStableCallback((peer) => {
    followed.current = peer;
  });
}

/** The first peer that is met in a room. */
interface Meeting {
  readonly first: ClientId;
  /** Whether nobody else is there. */
  readonly isPair: boolean;
  /** When our membership began. */
  readonly joinedAt: number;
}

/** The first meeting, if this change of the room brings one; otherwise null. */
function firstMeeting(before: RoomState, now: RoomState): Meeting | null {
  if (now.status !== "connected") return null;
  const peers = Object.values(now.peers);
  const first = peers.find(({ ready }) => ready)?.clientId;
  if (first === undefined || peersOf(before)[first]?.ready === true) return null;
  return { first, isPair: peers.length === 1, joinedAt: now.joinedAt };
}

/** Whether we have not been in the room before this membership: nothing can be waiting for us in it. */
function isFirstVisit({ rooms, store }: Warren["chat"], joinedAt: number): boolean {
  const { room } = store.getState();
  const visited = rooms.getState().find(({ tag }) => tag === room);
  return visited === undefined || visited.firstVisit >= joinedAt;
}

/**
 * The conversation that opens when we meet somebody in a room that we return to. An unread conversation comes first. Otherwise the
 * conversation with everyone opens if it has messages, or if we met others in this room before: what they wrote to everyone while we
 * were away arrives only after this meeting. Otherwise the peer's conversation opens, as in a new room.
 * @param peer the only peer in the room; null if there are several, or we have begun to write to everyone.
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
