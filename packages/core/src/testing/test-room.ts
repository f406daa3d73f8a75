import type { ClientId, PeerMessage } from "@warren/protocol";
import { ServerVerdicts } from "../ice/server-verdicts.ts";
import type { Clock } from "../ports/clock.ts";
import type { EnvironmentEvents } from "../ports/environment.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { SignallingBackend } from "../ports/signalling.ts";
import { RoomService, type RoomServiceDeps } from "../room/room-service.ts";
import { peersOf } from "../room/room-state.ts";
import type { Peer } from "../session/peer.ts";
import { defaultOptions } from "../settings/options.ts";
import { Emitter } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { FakeClock } from "./fake-clock.ts";
import { openRooms } from "./open-rooms.ts";
import { until } from "./until.ts";

/** The options of a room under test; two rooms meet when they share signalling and a network. */
export interface TestRoomOptions extends Partial<RoomServiceDeps> {
  readonly signalling: SignallingBackend;
  readonly createPeerConnection: CreatePeerConnection;
  readonly name: string;
  /** Set if a test creates the same client twice; random otherwise. */
  readonly clientId?: ClientId;
}

/** A room service with a controllable environment. */
export interface TestRoom {
  readonly room: RoomService;
  readonly clientId: ClientId;
  readonly clock: Clock;
  /** Every received message, oldest first. */
  readonly messages: PeerMessage[];
  /** The machine wakes or the network is back. */
  readonly wake: () => void;
  /** The current view of another client. */
  readonly peer: (clientId: ClientId) => Peer | undefined;
  /** Resolves once the view of another client passes the check. */
  readonly untilPeer: (clientId: ClientId, check: (peer: Peer | undefined) => boolean) => Promise<void>;
}

/** Creates a room for a client of the given name; it has not joined yet. */
export function createTestRoom(options: TestRoomOptions): TestRoom {
  const { name, clientId = randomUuid(), clock = new FakeClock() } = options;
  const environment = new Emitter<EnvironmentEvents>();
  const room = new RoomService({
    profile: () => ({ roomId: "burrow", clientId, password: null, name, avatar: null }),
    options: () => ({ servers: { stuns: [], turns: [] }, relayOnly: defaultOptions.relayOnly }),
    fetch: () => Promise.reject(new TypeError("no network in tests")),
    serverTime: async () => clock.now(),
    environment,
    random: () => 0.5,
    security: openRooms,
    verdicts: new ServerVerdicts(options.createPeerConnection),
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
      environment.emit("wake");
    },
    peer,
    untilPeer: async (id, check) => {
      await until(room.store, (state) => check(peersOf(state)[id]));
    },
  };
}

/** Resolves once two joining rooms can send to each other. */
export async function untilBothReady(a: TestRoom, b: TestRoom): Promise<void> {
  await Promise.all([
    a.untilPeer(b.clientId, (peer) => peer?.ready === true),
    b.untilPeer(a.clientId, (peer) => peer?.ready === true),
  ]);
}
