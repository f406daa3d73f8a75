import type { ClientId, PeerMessage } from "@warren/protocol";
import type { Peer } from "../connection/peer.ts";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { SignallingBackend } from "../ports/signalling.ts";
import { RoomService, type RoomServiceDeps } from "../room/room-service.ts";
import { peersOf } from "../room/room-state.ts";
import { defaultOptions } from "../settings/options.ts";
import { randomUuid } from "../shared/ids.ts";
import { FakeClock } from "./fake-clock.ts";
import { openRooms } from "./open-rooms.ts";
import { until } from "./until.ts";

/** What a room under test stands on; two rooms meet when they share signalling and a network. */
export interface TestRoomOptions extends Partial<RoomServiceDeps> {
  readonly signalling: SignallingBackend;
  readonly createPeerConnection: CreatePeerConnection;
  readonly name: string;
  /** Given where a test plays the same client twice; random otherwise. */
  readonly clientId?: ClientId;
}

/** A room service with the environment in a test's hands. */
export interface TestRoom {
  readonly room: RoomService;
  readonly clientId: ClientId;
  readonly clock: Clock;
  /** Every message that came, oldest first. */
  readonly messages: PeerMessage[];
  /** The machine wakes or the network is back. */
  readonly wake: () => void;
  /** Another client as this one sees it now. */
  readonly peer: (clientId: ClientId) => Peer | undefined;
  /** Resolves once this one sees another as the check wants it. */
  readonly untilPeer: (clientId: ClientId, check: (peer: Peer | undefined) => boolean) => Promise<void>;
}

/** Makes a room for a client of the given name; it has not joined yet. */
export function createTestRoom(options: TestRoomOptions): TestRoom {
  const { name, clientId = randomUuid(), clock = new FakeClock() } = options;
  const wakeListeners = new Set<() => void>();
  const room = new RoomService({
    profile: () => ({ roomId: "burrow", clientId, password: null, name, avatar: null }),
    options: () => ({ servers: { stuns: [], turns: [] }, relayOnly: defaultOptions.relayOnly }),
    fetch: () => Promise.reject(new TypeError("no network in tests")),
    environment: {
      onWake: (callback) => {
        wakeListeners.add(callback);
        return () => wakeListeners.delete(callback);
      },
      onGone: () => () => {},
    },
    random: () => 0.5,
    security: openRooms,
    ...options,
    clock,
  });
  const messages: PeerMessage[] = [];
  room.on("message", (_from, message) => messages.push(message));
  const peer = (id: ClientId) => peersOf(room.store.getState())[id];
  return {
    room,
    clientId,
    clock,
    messages,
    wake: () => {
      for (const callback of [...wakeListeners]) callback();
    },
    peer,
    untilPeer: async (id, check) => {
      await until(room.store, (state) => check(peersOf(state)[id]));
    },
  };
}

/** Resolves once two rooms that are on their way can send to each other. */
export async function untilBothReady(a: TestRoom, b: TestRoom): Promise<void> {
  await Promise.all([
    a.untilPeer(b.clientId, (peer) => peer?.ready === true),
    b.untilPeer(a.clientId, (peer) => peer?.ready === true),
  ]);
}
