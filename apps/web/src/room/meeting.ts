import { type Peer, peersOf, type RoomState, type Warren } from "@warren/core";
import { useEffect, useState } from "react";
import { useRoom, useStore, useWarren } from "../wiring/warren-context.ts";

/** A page that waits longer than this for its peers counts as idle. */
const meetingMs = 10_000;
/** The longest time that a pane stays empty because the meeting is about to replace it. */
const timeoutMs = 1_000;

/** The first connection to this member is being made, or open and without its profile yet. */
const isUnmet = ({ session, profile }: Peer): boolean =>
  session === "created" || session === "connecting" || (session === "connected" && profile === null);

/** Whether the room is being joined, or a first connection to one of its members is being made. */
function isMeeting(state: RoomState): boolean {
  return state.status === "connecting" || Object.values(peersOf(state)).some(isUnmet);
}

/** Whether there are members, and none of them has been met. */
function hasMetNobody(state: RoomState): boolean {
  const peers = Object.values(peersOf(state));
  return peers.length > 0 && peers.every(isUnmet);
}

/**
 * Resolves once every peer in the room is connected, or will not be soon. Work that can wait for it must not take
 * processor time from a connection being made.
 */
export function untilMet(room: Warren["room"]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, meetingMs);
    // A newly joined room does not know its members yet.
    const check = (): void => queueMicrotask(() => !isMeeting(room.store.getState()) && end());
    const stop = room.store.subscribe(check);
    check();
  });
}

/**
 * Whether the room is being joined, or has just been joined and none of its members has been met: for a second at most
 * and once per membership, so that a peer that arrives later changes nothing.
 */
export function useMeeting(): boolean {
  const room = useRoom();
  const phase = room.status === "connected" ? room.joinedAt : "join";
  /** The last phase that ended. The form stays while joining, because it shows the progress. */
  const [endedPhase, setEndedPhase] = useState<typeof phase | null>(null);
  const isUnderWay =
    room.status === "connected" ? hasMetNobody(room) : room.status === "connecting" && !room.isWaiting;
  const hasEnded = endedPhase === phase;
  if (!isUnderWay && !hasEnded) setEndedPhase(phase);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setEndedPhase(phase), timeoutMs);
    return () => clearTimeout(timer);
  }, [isUnderWay, phase]);
  return isUnderWay && !hasEnded;
}

/** Whether no active peer is in our room; peers whose session has ended do not count. */
export function useAlone(): boolean {
  return useStore(
    useWarren().room.store,
    (state) =>
      state.status === "connected" && Object.values(state.peers).every(({ session }) => session === "closed"),
  );
}
