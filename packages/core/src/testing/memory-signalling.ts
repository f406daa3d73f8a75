import {
  type ClientId,
  type ErrorCode,
  type RoomMember,
  type RoomTag,
  type SealedSignal,
  WarrenError,
} from "@warren/protocol";
import type { SignallingBackend, SignallingClient, SignallingClientStatus } from "../ports/signalling.ts";
import { Emitter } from "../shared/emitter.ts";
import { MemberRoster } from "../signalling/member-roster.ts";
import { SignalSenders } from "../signalling/signal-senders.ts";

interface Room {
  nextOrder: number;
  readonly seats: Map<ClientId, MemorySignallingClient>;
}

/** A signalling service in memory, and what can befall it. Everything arrives in a later turn, in order. */
export class MemorySignalling implements SignallingBackend {
  readonly #rooms = new Map<RoomTag, Room>();
  #reachable = true;
  /** The relays that the service offers. */
  relays: readonly RTCIceServer[] = [];
  /** Sees every signal on its way; one it does not pass is lost. */
  filter: (signal: SealedSignal, from: ClientId, to: ClientId) => boolean = () => true;
  /** What a hostile service makes of a signal on its way. */
  tamper: (signal: SealedSignal, from: ClientId, to: ClientId) => SealedSignal = (signal) => signal;

  /** Why it lets nobody in nearby. */
  nearbyRefusal: ErrorCode | null = null;

  async createClient({
    roomTag,
    clientId,
    nearby = false,
  }: {
    roomTag: RoomTag;
    clientId: ClientId;
    nearby?: boolean;
  }): Promise<SignallingClient> {
    if (!this.#reachable) throw new WarrenError("signalling-unreachable");
    if (nearby && this.nearbyRefusal !== null) throw new WarrenError(this.nearbyRefusal);
    const room: Room = this.#rooms.get(roomTag) ?? { nextOrder: 0, seats: new Map() };
    this.#rooms.set(roomTag, room);
    const earlier = room.seats.get(clientId);
    const self = { clientId, order: earlier?.self.order ?? room.nextOrder++ };
    earlier?.replaced();
    const others = [...room.seats.values()].filter((client) => client !== earlier);
    const client: MemorySignallingClient = new MemorySignallingClient(self, {
      members: others.map((other) => other.self),
      resumed: earlier !== undefined,
      send: (to, signal) => {
        if (this.#reachable && this.filter(signal, clientId, to))
          room.seats.get(to)?.later((other) => other.deliver(clientId, this.tamper(signal, clientId, to)));
      },
      leave: () => {
        if (room.seats.get(clientId) !== client) return;
        room.seats.delete(clientId);
        for (const other of room.seats.values()) other.later((there) => there.left(clientId));
      },
    });
    client.relays = this.relays;
    room.seats.set(clientId, client);
    for (const other of others) other.later((there) => there.joined(self, earlier !== undefined));
    return client;
  }

  /** The service goes away: nothing passes, every client is reconnecting. */
  stop(): void {
    this.#reachable = false;
    for (const client of this.#clients()) client.setStatus({ status: "reconnecting" });
  }

  /** The service is back and has kept every seat. */
  resume(): void {
    this.#reachable = true;
    for (const room of this.#rooms.values()) {
      for (const client of room.seats.values()) {
        client.setStatus({ status: "online" });
        for (const other of room.seats.values()) {
          if (other !== client) other.later((there) => there.joined(client.self, true));
        }
      }
    }
  }

  /** One client loses its link for a moment and comes back to its seat. */
  blink(clientId: ClientId): void {
    for (const room of this.#rooms.values()) {
      const client = room.seats.get(clientId);
      if (client === undefined) continue;
      client.setStatus({ status: "reconnecting" });
      client.setStatus({ status: "online" });
      for (const other of room.seats.values()) {
        if (other !== client) other.later((there) => there.joined(client.self, true));
      }
    }
  }

  /** The service ends for one client, with the reason. */
  expel(clientId: ClientId, error: WarrenError): void {
    for (const client of this.#clients())
      if (client.self.clientId === clientId) client.setStatus({ status: "closed", error });
  }

  /** The service drops a client's seat and reports to the others that it has gone. */
  forget(clientId: ClientId): void {
    for (const room of this.#rooms.values()) {
      if (!room.seats.delete(clientId)) continue;
      for (const other of room.seats.values()) other.later((there) => there.left(clientId));
    }
  }

  #clients(): MemorySignallingClient[] {
    return [...this.#rooms.values()].flatMap((room) => [...room.seats.values()]);
  }
}

interface SeatOptions {
  readonly members: readonly RoomMember[];
  readonly resumed: boolean;
  readonly send: (to: ClientId, signal: SealedSignal) => void;
  readonly leave: () => void;
}

class MemorySignallingClient implements SignallingClient {
  relays: readonly RTCIceServer[] = [];
  readonly self: RoomMember;
  readonly #options: SeatOptions;
  readonly #roster = new MemberRoster();
  readonly #senders: SignalSenders;
  readonly #statusEvents = new Emitter<{ status: [SignallingClientStatus] }>();
  #status: SignallingClientStatus = { status: "online" };
  #destroyed = false;

  constructor(self: RoomMember, options: SeatOptions) {
    this.self = self;
    this.#options = options;
    this.#senders = new SignalSenders((to, signal) => {
      if (this.#status.status === "online") options.send(to, signal);
    });
    this.#roster.replace(options.members, options.resumed);
  }

  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): () => void {
    return this.#roster.listenForJoin(callback);
  }

  listenForLeave(callback: (clientId: ClientId) => void): () => void {
    return this.#roster.listenForLeave(callback);
  }

  listenForStatus(callback: (status: SignallingClientStatus) => void): () => void {
    callback(this.#status);
    return this.#statusEvents.on("status", callback);
  }

  createSender(targetId: ClientId) {
    return this.#senders.create(targetId);
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#options.leave();
    this.#destroyed = true;
    this.#senders.close();
    this.#roster.clear();
    this.#statusEvents.clear();
  }

  /** A seat in memory has no token: who comes back is known by the client's id, as after leaving. */
  vanish(): void {
    this.destroy();
  }

  later(event: (client: MemorySignallingClient) => void): void {
    queueMicrotask(() => {
      if (!this.#destroyed && this.#status.status !== "closed") event(this);
    });
  }

  joined(member: RoomMember, resumed: boolean): void {
    this.#roster.add(member, resumed);
  }

  left(clientId: ClientId): void {
    this.#senders.forget(clientId);
    this.#roster.remove(clientId);
  }

  deliver(from: ClientId, signal: SealedSignal): void {
    this.#senders.deliver(from, signal);
  }

  replaced(): void {
    this.setStatus({ status: "closed", error: new WarrenError("signalling-replaced") });
  }

  setStatus(status: SignallingClientStatus): void {
    if (this.#status.status === "closed" || this.#destroyed) return;
    this.#status = status;
    if (status.status === "closed") this.#senders.close();
    this.#statusEvents.emit("status", status);
  }
}
