import { type ClientId, type RoomMember, WarrenError } from "@warren/protocol";
import type { SignallingClient, SignalSender } from "../ports/signalling.ts";
import { graceBeforeFirstMs, isPolite } from "../session/attempt-policy.ts";
import { PeerSession, type SharedSessionDeps } from "../session/peer-session.ts";
import type { Emitter } from "../shared/emitter.ts";
import { NewcomerQueue } from "../signalling/newcomer-queue.ts";
import type { SignalLinks } from "../signalling/signal-link.ts";
import type { Refusals } from "./refusals.ts";
import type { RoomEvents } from "./room-state.ts";

/** What a membership is of, and what it works with. */
export interface MembershipDeps {
  readonly client: SignallingClient;
  /** The links to one member. */
  readonly links: (sender: SignalSender) => SignalLinks;
  readonly refusals: Refusals;
  readonly shared: SharedSessionDeps;
  /** The emitter of the room, shared with the sessions. */
  readonly events: Emitter<RoomEvents>;
}

interface Entry {
  readonly session: PeerSession;
  /** Stops ignoring the signals of a refused client. */
  unmute: () => void;
}

interface Newcomer {
  readonly member: RoomMember;
  readonly resumed: boolean;
}

/** One membership of a room, from joining to leaving: the members and our sessions with them. */
export class Membership {
  readonly #deps: MembershipDeps;
  readonly #entries = new Map<ClientId, Entry>();
  readonly #newcomers: NewcomerQueue<Newcomer>;
  readonly #closers: (() => void)[] = [];

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
    this.#newcomers = new NewcomerQueue(deps.shared.clock, (newcomer) => this.#begin(newcomer));
  }

  /** Our place in the join order. */
  get order(): number {
    return this.#deps.client.self.order;
  }

  /** The relays that the signalling server offers to its members. */
  get relays(): readonly RTCIceServer[] {
    return this.#deps.client.relays;
  }

  /** Starts following the room; current members are reported immediately. */
  start(): void {
    const { client, events } = this.#deps;
    let isFound = true;
    this.#closers.push(
      events.on("violation", (clientId, issue) => this.#violated(clientId, issue)),
      events.on("session-ended", (clientId) => this.#remove(clientId)),
      client.listenForLeave((clientId) => this.#memberLeft(clientId)),
      client.listenForJoin((member, resumed) => this.#memberJoined({ member, resumed }, isFound)),
      client.listenForStatus((status) => events.emit("signalling", status)),
      () => this.#newcomers.clear(),
    );
    isFound = false;
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
    return this.#sessions()
      .filter(({ state }) => state.session === "connected")
      .map(({ state }) => state.clientId);
  }

  /** Our link to the server is back: signals sent in the meantime may be lost. */
  resume(): void {
    for (const session of this.#sessions()) session.rejoined(this.#graceFor(session.state));
  }

  wake(): void {
    for (const session of this.#sessions()) session.wake();
  }

  /** Ends the session with a client that `refusals` lists, and ignores its signals from now on. */
  refuse(clientId: ClientId): void {
    const entry = this.#entries.get(clientId);
    if (entry !== undefined) this.#refuse(entry, null);
  }

  /** Connects to a client again after its refusal ended. */
  admit(clientId: ClientId): void {
    const session = this.find(clientId);
    const isRefused = this.#deps.refusals.remainingMs(clientId) > 0;
    if (session?.state.session === "closed" && !isRefused) this.#meetAgain(session.state);
  }

  /** Connects immediately to a client that a person admitted. */
  letIn(clientId: ClientId): void {
    const session = this.find(clientId);
    if (session?.state.error?.code === "approval-needed") session.rejoined(0);
  }

  /** Ends every session and gives up the seat. */
  close(): void {
    for (const close of this.#closers.splice(0)) close();
    for (const [clientId, { session }] of [...this.#entries]) {
      session.leave();
      this.#remove(clientId);
    }
    this.#deps.client.destroy();
  }

  /** The page is being closed: closes everything, so that peers notice at once, and keeps the seat for a reload. */
  vanish(): void {
    for (const close of this.#closers.splice(0)) close();
    for (const clientId of [...this.#entries.keys()]) this.#drop(clientId);
    this.#deps.client.vanish();
  }

  #sessions(): PeerSession[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  /** @param isFound whether it was in the room before us. */
  #memberJoined({ member, resumed }: Newcomer, isFound: boolean): void {
    const known = this.find(member.clientId);
    if (known !== null && known.state.session !== "closed") {
      known.moved(member);
      // Keep a connected session: if the other side lost it, it starts a new attempt, which we accept.
      known.rejoined(this.#graceFor(member));
      return;
    }
    if (known !== null) this.#remove(member.clientId);
    if (isFound) this.#begin({ member, resumed });
    else this.#newcomers.add(member.clientId, { member, resumed });
  }

  #begin({ member, resumed }: Newcomer): void {
    if (this.#deps.refusals.remainingMs(member.clientId) > 0) this.#meetRefused(member);
    else this.#meet(member, resumed ? 0 : this.#graceFor(member));
  }

  #memberLeft(clientId: ClientId): void {
    if (this.#newcomers.delete(clientId)) return;
    this.find(clientId)?.left();
  }

  #meet(member: RoomMember, waitMs: number): void {
    const { session } = this.#createEntry(member);
    session.open();
    session.connect(waitMs);
  }

  #meetAgain({ clientId, order }: RoomMember): void {
    this.#drop(clientId);
    this.#meet({ clientId, order }, this.#graceFor({ clientId, order }));
  }

  #createEntry(member: RoomMember): Entry {
    const { client, links, shared } = this.#deps;
    const session: PeerSession = new PeerSession({
      selfId: client.self.clientId,
      member,
      isPolite: () => isPolite(client.self, session.state),
      links: links(client.createSender(member.clientId)),
      shared,
    });
    const entry: Entry = { session, unmute: () => {} };
    this.#entries.set(member.clientId, entry);
    return entry;
  }

  #violated(id: ClientId, issue: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined && this.#deps.refusals.count(id, issue))
      this.#refuse(entry, this.#violationOf(id));
  }

  /** Names the first violation: later ones often follow from it. */
  #violationOf(id: ClientId): WarrenError {
    const issue = this.#deps.refusals.firstIssueOf(id) ?? "refused";
    return new WarrenError("protocol-violation", { id, issue });
  }

  #meetRefused(member: RoomMember): void {
    const entry = this.#createEntry(member);
    const { clientId: id } = member;
    const isForGood = this.#deps.refusals.remainingMs(id) === Number.POSITIVE_INFINITY;
    this.#refuse(entry, isForGood ? null : this.#violationOf(id));
  }

  /** Closes the session and ignores all signals of the client while it is refused. */
  #refuse(entry: Entry, error: WarrenError | null): void {
    const { client, refusals, shared } = this.#deps;
    const { clientId } = entry.session.state;
    if (error === null) entry.session.end();
    else entry.session.close(error);
    entry.unmute();
    const sender = client.createSender(clientId);
    // Otherwise signals would be queued for a listener and be stale by the time there is one.
    sender.listenForSignal(() => {});
    const remainingMs = refusals.remainingMs(clientId);
    const cancel = Number.isFinite(remainingMs)
      ? shared.clock.after(remainingMs, () => this.#meetAgain(entry.session.state))
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
    this.#deps.events.emit("peer-left", clientId);
  }

  #graceFor(member: RoomMember): number {
    return graceBeforeFirstMs(isPolite(this.#deps.client.self, member));
  }
}
