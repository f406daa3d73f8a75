import { type ChatState, peersOf, type ReadableStore, type RoomState } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { createStore } from "zustand/vanilla";

/** Somebody came into the room that we are in, or left it. */
export interface PresenceEvent {
  readonly clientId: ClientId;
  readonly hasJoined: boolean;
  /** Ms since the epoch, by our own clock like the order of messages. */
  readonly at: number;
}

/** The number of remembered events; the oldest are dropped first. */
const eventsMax = 500;

/**
 * Who came and went since we joined the room, except members who were there before us or whom we never met. The events remain after
 * we leave, until we enter another room. They are not stored and do not count as unread.
 */
export class Presence {
  readonly #store = createStore<readonly PresenceEvent[]>(() => []);
  readonly #room: ReadableStore<RoomState>;
  readonly #now: () => number;
  /** Those who are here and were met; null until we know who was there before us. */
  #here: Set<ClientId> | null = null;
  /** Those who were there before us, and were not met yet. */
  #unmet = new Set<ClientId>();
  #joinedAt: number | null = null;

  constructor(
    room: ReadableStore<RoomState>,
    chat: ReadableStore<Pick<ChatState, "room">>,
    now: () => number,
  ) {
    this.#room = room;
    this.#now = now;
    this.#follow(room.getState());
    room.subscribe((state) => this.#follow(state));
    chat.subscribe((state, before) => {
      if (state.room !== before.room) this.#store.setState([], true);
    });
  }

  /** In order. */
  get store(): ReadableStore<readonly PresenceEvent[]> {
    return this.#store;
  }

  #follow(state: RoomState): void {
    if (state.status !== "connected") {
      this.#here = null;
      this.#joinedAt = null;
      return;
    }
    if (this.#joinedAt !== state.joinedAt) {
      this.#joinedAt = state.joinedAt;
      this.#here = null;
      this.#store.setState([], true);
      // Those who were there are told of in the same task as the join.
      queueMicrotask(() => this.#begin());
      return;
    }
    const here = this.#here;
    if (here === null) return;
    const peers = peersOf(state);
    for (const { clientId, ready } of Object.values(peers)) {
      if (!ready || here.has(clientId)) continue;
      here.add(clientId);
      if (!this.#unmet.delete(clientId)) this.#add(clientId, true);
    }
    for (const clientId of this.#unmet) if (peers[clientId] === undefined) this.#unmet.delete(clientId);
    for (const clientId of here) {
      if (peers[clientId] !== undefined) continue;
      here.delete(clientId);
      const { joinedAt } = state;
      // When we leave, everybody goes in the same task.
      queueMicrotask(() => {
        if (this.#joinedAt === joinedAt) this.#add(clientId, false);
      });
    }
  }

  #begin(): void {
    const present = this.#room.getState();
    if (present.status !== "connected" || present.joinedAt !== this.#joinedAt) return;
    this.#here = new Set();
    this.#unmet = new Set(Object.keys(present.peers));
    this.#follow(present);
  }

  #add(clientId: ClientId, hasJoined: boolean): void {
    const event = { clientId, hasJoined, at: this.#now() };
    this.#store.setState([...this.#store.getState(), event].slice(-eventsMax), true);
  }
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
