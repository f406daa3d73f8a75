import { peersOf, type ReadableStore, type RoomState } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { createStore } from "zustand/vanilla";

/** Somebody came into the room that we are in, or left it. */
export interface PresenceEvent {
  readonly clientId: ClientId;
  readonly hasJoined: boolean;
  /** Ms since the epoch, by our own clock like the order of messages. */
  readonly at: number;
}

/** So many are remembered; the oldest go first. */
const eventsMax = 500;

const store = createStore<readonly PresenceEvent[]>(() => []);

/** Who came and went since we joined the room, in order. Nothing of it is stored, nor counts as unread. */
export const presenceStore: ReadableStore<readonly PresenceEvent[]> = store;

/** Notes who comes and goes: not those who were there before us, and nobody who was never met. */
export function notePresence(room: ReadableStore<RoomState>, now: () => number): () => void {
  /** Those who are here and were met; null until we know who was there before us. */
  let here: Set<ClientId> | null = null;
  /** Those who were there before us, and were not met yet. */
  let unmet = new Set<ClientId>();
  let joinedAt: number | null = null;
  const note = (clientId: ClientId, hasJoined: boolean): void => {
    store.setState([...store.getState(), { clientId, hasJoined, at: now() }].slice(-eventsMax), true);
  };
  const follow = (state: RoomState): void => {
    if (state.status !== "connected") {
      here = null;
      joinedAt = null;
      return;
    }
    if (joinedAt !== state.joinedAt) {
      joinedAt = state.joinedAt;
      here = null;
      store.setState([], true);
      // Those who were there are told of in the same task as the join.
      queueMicrotask(() => {
        const present = room.getState();
        if (present.status !== "connected" || present.joinedAt !== joinedAt) return;
        here = new Set();
        unmet = new Set(Object.keys(present.peers));
        follow(present);
      });
      return;
    }
    if (here === null) return;
    const peers = peersOf(state);
    for (const { clientId, ready } of Object.values(peers)) {
      if (!ready || here.has(clientId)) continue;
      here.add(clientId);
      if (!unmet.delete(clientId)) note(clientId, true);
    }
    for (const clientId of unmet) if (peers[clientId] === undefined) unmet.delete(clientId);
    for (const clientId of here) {
      if (peers[clientId] !== undefined) continue;
      here.delete(clientId);
      note(clientId, false);
    }
  };
  follow(room.getState());
  return room.subscribe(follow);
}

/** Who came and who went, all in all. */
export interface PresenceChange {
  readonly joined: readonly ClientId[];
  readonly left: readonly ClientId[];
}

/** What the events after one time and until another come to: who left and came back did neither. Null if nothing changed. */
export function presenceBetween(
  events: readonly PresenceEvent[],
  after: number,
  until: number,
): PresenceChange | null {
  const first = new Map<ClientId, boolean>();
  const last = new Map<ClientId, boolean>();
  for (const { clientId, hasJoined, at } of events) {
    if (at <= after || at > until) continue;
    if (!first.has(clientId)) first.set(clientId, hasJoined);
    last.set(clientId, hasJoined);
  }
  const ids = [...last.keys()];
  const joined = ids.filter((id) => last.get(id) === true && first.get(id) === true);
  const left = ids.filter((id) => last.get(id) === false);
  return joined.length + left.length === 0 ? null : { joined, left };
}
