import { type ClientId, type PeerMessage, type RoomMember, WarrenError } from "@warren/protocol";
import { graceBeforeFirstMs } from "../connection/attempt-policy.ts";
import type { TransferLane } from "../connection/lanes/transfer-lane.ts";
import type { PeerSession } from "../connection/peer-session.ts";
import { isPolite } from "../connection/politeness.ts";
import type { SessionState } from "../connection/session-state.ts";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import type { SignallingClient, SignallingClientStatus } from "../ports/signalling.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";
import { PeerPicture } from "./peer-picture.ts";
import type { Refusals } from "./refusals.ts";
import type { RoomPeer } from "./room-state.ts";

type RoomStayEvents = {
  /** A peer came or changed. */
  peer: [peer: RoomPeer];
  "peer-ready": [clientId: ClientId];
  "peer-lost": [clientId: ClientId];
  "peer-silent": [clientId: ClientId];
  "peer-heard": [clientId: ClientId];
  /** A peer went; it is no longer among the sessions. */
  "peer-left": [clientId: ClientId];
  message: [from: ClientId, message: PeerMessage];
  /** The picture a peer sent is redrawn; null when it was not fit to be. */
  picture: [from: ClientId, avatar: string | null];
  "transfer-channel": [from: ClientId, channel: RTCDataChannel];
  lanes: [to: ClientId, open: readonly TransferLane[]];
  signalling: [status: SignallingClientStatus];
};

/** What a stay needs. */
export interface RoomStayOptions {
  readonly client: SignallingClient;
  readonly refusals: Refusals;
  readonly clock: Clock;
  readonly cleanPicture: CleanPicture;
  /** Makes the session with a member. */
  readonly createSession: (peerId: ClientId, isPolite: () => boolean) => PeerSession;
}

interface Entry {
  member: RoomMember;
  readonly session: PeerSession;
  readonly picture: PeerPicture;
  connectedAt: number | null;
  /** Lets a refused client be heard again. */
  unmute: () => void;
}

/** One stay in a room, from joining to leaving: the members and our sessions with them. */
export class RoomStay {
  readonly #options: RoomStayOptions;
  readonly #entries = new Map<ClientId, Entry>();
  readonly #events = new Emitter<RoomStayEvents>();
  readonly events: EventSource<RoomStayEvents> = this.#events;
  readonly #closers: (() => void)[] = [];

  constructor(options: RoomStayOptions) {
    this.#options = options;
  }

  /** Starts to follow the room; those present are told at once. */
  start(): void {
    const { client } = this.#options;
    this.#closers.push(
      client.listenForLeave((clientId) => this.#memberLeft(clientId)),
      client.listenForJoin((member, resumed) => this.#memberJoined(member, resumed)),
      client.listenForStatus((status) => this.#events.emit("signalling", status)),
    );
  }

  /** @throws WarrenError `no-session`. */
  session(peerId: ClientId): PeerSession {
    const session = this.find(peerId);
    if (session === null) throw new WarrenError("no-session", { id: peerId });
    return session;
  }

  find(peerId: ClientId): PeerSession | null {
    return this.#entries.get(peerId)?.session ?? null;
  }

  /** The peers whose message channel is open. */
  connectedPeers(): ClientId[] {
    return [...this.#entries]
      .filter(([, { session }]) => session.state.session === "connected")
      .map(([id]) => id);
  }

  /** Our own link to the server is back: what was sent meanwhile may be lost. */
  resume(): void {
    for (const { member, session } of [...this.#entries.values()]) session.rejoined(this.#graceFor(member));
  }

  wake(): void {
    for (const { session } of [...this.#entries.values()]) session.wake();
  }

  /** Ends the session with a client the refusals name, and refuses it from now on. */
  refuse(clientId: ClientId): void {
    const entry = this.#entries.get(clientId);
    if (entry !== undefined) this.#refuse(entry, null);
  }

  /** Meets a client again that is refused no longer. */
  admit(clientId: ClientId): void {
    const entry = this.#entries.get(clientId);
    const isRefused = this.#options.refusals.remainingMs(clientId) > 0;
    if (entry?.session.state.session === "closed" && !isRefused) this.#meetAgain(entry);
  }

  /** Tries at once to reach a client that a person has let in. */
  letIn(clientId: ClientId): void {
    const session = this.find(clientId);
    if (session?.state.error?.code === "approval-needed") session.rejoined(0);
  }

  /** Ends every session and gives up the seat. */
  close(): void {
    for (const close of this.#closers.splice(0)) close();
    for (const clientId of [...this.#entries.keys()]) this.#remove(clientId);
    this.#options.client.destroy();
    this.#events.clear();
  }

  /**
   * The page goes: closes everything, so that the others see it at once, and tells nobody here, so that a reload
   * finds in storage what it would have found.
   */
  vanish(): void {
    this.#events.clear();
    for (const close of this.#closers.splice(0)) close();
    for (const clientId of [...this.#entries.keys()]) this.#drop(clientId);
    this.#options.client.vanish();
  }

  #memberJoined(member: RoomMember, resumed: boolean): void {
    const known = this.#entries.get(member.clientId);
    if (known !== undefined && known.session.state.session !== "closed") {
      known.member = member;
      this.#publish(known);
      // A connected session stays: should the other side have lost it, it begins anew and that is taken up.
      known.session.rejoined(this.#graceFor(member));
      return;
    }
    if (known !== undefined) this.#remove(member.clientId);
    if (this.#options.refusals.remainingMs(member.clientId) > 0) this.#meetRefused(member);
    else this.#meet(member, resumed ? 0 : this.#graceFor(member));
  }

  #memberLeft(clientId: ClientId): void {
    const entry = this.#entries.get(clientId);
    // While the connection works the other side is there, whatever the server has lost sight of.
    if (entry !== undefined && !entry.session.left()) this.#remove(clientId);
  }

  #meet(member: RoomMember, waitMs: number): void {
    const { clientId } = member;
    const entry = this.#createEntry(member);
    const { session } = entry;
    session.events.on("change", (state, previous) => this.#sessionChanged(entry, state, previous));
    session.events.on("message", (message) => this.#events.emit("message", clientId, message));
    session.events.on("transfer-channel", (channel) =>
      this.#events.emit("transfer-channel", clientId, channel),
    );
    session.events.on("lanes", (open) => this.#events.emit("lanes", clientId, open));
    session.events.on("violation", (issue) => this.#violated(entry, issue));
    session.events.on("ended", () => this.#remove(clientId));
    session.open();
    session.connect(waitMs);
  }

  #meetAgain({ member }: Entry): void {
    this.#drop(member.clientId);
    this.#meet(member, this.#graceFor(member));
  }

  #createEntry(member: RoomMember): Entry {
    const { clientId } = member;
    const picture = new PeerPicture({
      clean: this.#options.cleanPicture,
      onCleaned: (avatar) => {
        if (this.#entries.get(clientId) !== entry) return;
        this.#publish(entry);
        this.#events.emit("picture", clientId, avatar);
      },
    });
    const session = this.#createSession(clientId);
    const entry: Entry = { member, session, picture, connectedAt: null, unmute: () => {} };
    this.#entries.set(clientId, entry);
    return entry;
  }

  #createSession(peerId: ClientId): PeerSession {
    return this.#options.createSession(peerId, () => {
      const entry = this.#entries.get(peerId);
      return entry !== undefined && isPolite(this.#options.client.self, entry.member);
    });
  }

  #violated(entry: Entry, issue: string): void {
    const { clientId: id } = entry.member;
    if (this.#options.refusals.note(id))
      this.#refuse(entry, new WarrenError("protocol-violation", { id, issue }));
  }

  #meetRefused(member: RoomMember): void {
    const entry = this.#createEntry(member);
    const { clientId: id } = member;
    const isForGood = this.#options.refusals.remainingMs(id) === Number.POSITIVE_INFINITY;
    this.#refuse(entry, isForGood ? null : new WarrenError("protocol-violation", { id, issue: "refused" }));
    this.#publish(entry);
  }

  /** Closes the session, and hears nothing of the client as long as it is refused. */
  #refuse(entry: Entry, error: WarrenError | null): void {
    const { client, clock, refusals } = this.#options;
    const { clientId } = entry.member;
    if (error === null) entry.session.end();
    else entry.session.close(error);
    entry.unmute();
    const sender = client.createSender(clientId);
    // What it says meanwhile would wait for a listener otherwise, and be long stale by then.
    sender.listenForSignal(() => {});
    const remainingMs = refusals.remainingMs(clientId);
    const cancel = Number.isFinite(remainingMs)
      ? clock.after(remainingMs, () => this.#meetAgain(entry))
      : () => {};
    entry.unmute = () => {
      cancel();
      sender.close();
    };
  }

  #drop(clientId: ClientId): void {
    const entry = this.#entries.get(clientId);
    entry?.session.close();
    entry?.unmute();
    this.#entries.delete(clientId);
  }

  #remove(clientId: ClientId): void {
    if (!this.#entries.has(clientId)) return;
    this.#drop(clientId);
    this.#events.emit("peer-left", clientId);
  }

  #sessionChanged(entry: Entry, state: SessionState, previous: SessionState): void {
    const { clientId } = entry.member;
    const isThere = state.session === "connected" || state.session === "reconnecting";
    entry.connectedAt = isThere ? (entry.connectedAt ?? this.#options.clock.now()) : null;
    this.#publish(entry);
    if (state.ready && !previous.ready) this.#events.emit("peer-ready", clientId);
    if (!state.ready && previous.ready) this.#events.emit("peer-lost", clientId);
    if (!state.ready || !previous.ready || state.session === previous.session) return;
    this.#events.emit(state.session === "connected" ? "peer-heard" : "peer-silent", clientId);
  }

  #publish({ member, session: { state }, picture, connectedAt }: Entry): void {
    this.#events.emit("peer", { ...state, ...member, profile: picture.of(state.profile), connectedAt });
  }

  #graceFor(member: RoomMember): number {
    return graceBeforeFirstMs(isPolite(this.#options.client.self, member));
  }
}
