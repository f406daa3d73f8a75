import type { ClientId, PeerMessage, RoomMember } from "@warren/protocol";
import { LanePool } from "../lanes/lane-pool.ts";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import { isPolite } from "../session/attempt-policy.ts";
import { AttemptQueue } from "../session/attempt-queue.ts";
import { MessageBudgets } from "../session/message-budget.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { Peer, PeerEvents, SessionStatus } from "../session/peer.ts";
import { PeerSession } from "../session/peer-session.ts";
import { Emitter } from "../shared/emitter.ts";
import { FakeClock, settle } from "./fake-clock.ts";
import { FakeNetwork } from "./fake-network.ts";
import { MemorySignalling } from "./memory-signalling.ts";
import { openSeat } from "./open-seat.ts";
import { OpenSignalLinks } from "./open-signal-links.ts";

export const sessionRoomTag = "r".repeat(43);
export const annId: ClientId = "00000000-0000-4000-8000-00000000000a";
export const benId: ClientId = "00000000-0000-4000-8000-00000000000b";

/** One side of a session and what came up from it. */
export interface SessionSide {
  readonly session: PeerSession;
  readonly events: Emitter<PeerEvents>;
  readonly history: Peer[];
  readonly messages: PeerMessage[];
  readonly violations: string[];
}

/** The world two sessions share: signalling, network, time and chance. */
export class SessionPair {
  readonly signalling = new MemorySignalling();
  readonly network = new FakeNetwork();
  /** Real connections may take the network's place. */
  createPeerConnection: CreatePeerConnection = this.network.createPeerConnection;
  readonly clock = new FakeClock();
  /** What the sessions go by; real connections need real time. */
  sessionClock: Clock = this.clock;
  random = 0.5;
  /** Of each side opened from now on a queue of its own, as if in pages of their own, unless a test gives one. */
  attempts: AttemptQueue | null = null;
  /** Of the sides opened from now on, as if they were in one page. */
  lanePool = new LanePool();
  /** What a side says first. */
  firstFrame: "profile" | "send-text" = "profile";

  /** Ann joined first and so is impolite, unless the orders say otherwise. */
  async open(annOrder = 0, benOrder = 1): Promise<[SessionSide, SessionSide]> {
    const ann = { clientId: annId, order: annOrder };
    const ben = { clientId: benId, order: benOrder };
    return [await this.openSide(ann, ben), await this.openSide(ben, ann)];
  }

  /** Two sides that are connected. */
  async connect(): Promise<[SessionSide, SessionSide]> {
    const [ann, ben] = await this.open();
    ann.session.connect();
    ben.session.connect(2_000);
    await this.rest();
    return [ann, ben];
  }

  async openSide(self: RoomMember, other: RoomMember): Promise<SessionSide> {
    const client = await this.signalling.createClient({
      ...openSeat,
      roomTag: sessionRoomTag,
      clientId: self.clientId,
    });
    const events = new Emitter<PeerEvents>();
    const session = new PeerSession({
      selfId: self.clientId,
      member: other,
      isPolite: () => isPolite(self, other),
      links: new OpenSignalLinks(client.createSender(other.clientId)),
      shared: {
        clock: this.sessionClock,
        random: () => this.random,
        createConnection: async () => this.createPeerConnection({}),
        attempts: this.attempts ?? new AttemptQueue(this.sessionClock),
        lanePool: this.lanePool,
        budgets: new MessageBudgets(this.clock),
        cleanPicture: async (picture) => picture,
        ownProfile: () => this.#first(self.clientId),
        events,
      },
    });
    const side: SessionSide = { session, events, history: [], messages: [], violations: [] };
    events.on("peer", (peer) => side.history.push(peer));
    events.on("message", (_from, message) => side.messages.push(message));
    events.on("violation", (_from, issue) => side.violations.push(issue));
    session.open();
    return side;
  }

  /** When connections are made from now on, by the clock; filled as they are. */
  attemptTimes(): number[] {
    const times: number[] = [];
    const create = this.createPeerConnection;
    this.createPeerConnection = (configuration) => {
      times.push(this.clock.now());
      return create(configuration);
    };
    return times;
  }

  /** Lets both sides do what needs no clock. */
  async rest(): Promise<void> {
    for (let i = 0; i < 10; i++) await settle();
  }

  /** Ends a connection as its own process would, the other side hearing of it. */
  kill(index: number): void {
    const connection = this.network.made.at(index);
    connection?.close();
    connection?.dispatchEvent(new Event("connectionstatechange"));
  }

  /** Ends a connection without the other side receiving anything. */
  killSilently(index: number): void {
    this.network.made.at(index)?.vanish();
    this.kill(index);
  }

  #first(client: ClientId): OutgoingMessage {
    return this.firstFrame === "profile"
      ? { type: "profile", name: client.slice(-1), avatar: null }
      : { type: "send-text", data: "too early" };
  }
}

/** How the sides stand. */
export function statusesOf(...sides: SessionSide[]): SessionStatus[] {
  return sides.map(({ session }) => session.state.session);
}

/** The statuses a side has gone through, each once. */
export function pathOf(side: SessionSide): SessionStatus[] {
  return [...new Set(side.history.map(({ session }) => session))];
}
