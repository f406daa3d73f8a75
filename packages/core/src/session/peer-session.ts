import {
  type ClientId,
  type PeerMessage,
  type RoomMember,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { CreateConnection } from "../ice/connection-factory.ts";
import type { LanePool } from "../lanes/lane-pool.ts";
import type { TransferLane } from "../lanes/transfer-lane.ts";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import { Countdown } from "../shared/countdown.ts";
import type { Emitter } from "../shared/emitter.ts";
import type { SignalLinks } from "../signalling/signal-link.ts";
import { answerEveryMs, attemptLimitMs, backoffMs, freshMs, lastingMs } from "./attempt-policy.ts";
import type { AttemptQueue } from "./attempt-queue.ts";
import { Connection } from "./connection.ts";
import { IncomingProfile } from "./incoming-profile.ts";
import type { ClientBudgets, MessageBudgets } from "./message-budget.ts";
import type { MessageChannel, OutgoingMessage } from "./message-channel.ts";
import type { Peer, PeerEvents } from "./peer.ts";
import { admit, type Progress } from "./proof-order.ts";
import { RouteWatch } from "./route.ts";
import {
  advanceSession,
  failureEvent,
  isOpen,
  newSession,
  type SessionEffect,
  type SessionEvent,
  type SessionHolding,
  type SessionMemory,
  shownStatus,
} from "./session-policy.ts";

/** Shared by all sessions of a page. */
export interface SharedSessionDeps {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Never rejects because a relay is unavailable. */
  readonly createConnection: CreateConnection;
  readonly attempts: AttemptQueue;
  readonly lanePool: LanePool;
  /** The message budgets of each client; they outlive the client's sessions. */
  readonly budgets: MessageBudgets;
  readonly cleanPicture: CleanPicture;
  /** Our own profile, the first message of each connection after the proof. */
  readonly ownProfile: () => OutgoingMessage;
  /** The emitter of the room. */
  readonly events: Pick<Emitter<PeerEvents>, "emit">;
}

interface PeerSessionDeps {
  readonly selfId: ClientId;
  readonly member: RoomMember;
  /** Whether we yield in a collision; evaluated when one happens. */
  readonly isPolite: () => boolean;
  readonly links: SignalLinks;
  readonly shared: SharedSessionDeps;
}

/** What an event brings with it. */
interface Details {
  /** How long the peer may start before we do, or the wait before an attempt. */
  readonly waitMs?: number;
  readonly error?: WarrenError | null;
}

/**
 * The session with one other client is a state, which outlives its connections. Either side may start an attempt: the other
 * drops its current connection and joins the attempt. Of two simultaneous attempts the impolite side's wins.
 * session-policy.ts decides all this; here its effects are carried out.
 */
export class PeerSession {
  readonly #deps: PeerSessionDeps;
  readonly #shared: SharedSessionDeps;
  readonly #budgets: ClientBudgets;
  #memory: SessionMemory = newSession;
  #state: Peer;
  /** The connection, from the start of its attempt. */
  #connection: Connection | null = null;
  /** Identifies the attempt in progress, and the connection that came of it. */
  #attempt: { readonly startedAtMs: number } | null = null;
  #route: RouteWatch | null = null;
  /** Whether the peer's profile has arrived over this connection. */
  #isReady = false;
  /** Leaves the attempt queue or frees the slot in it. */
  #leaveQueue: () => void = () => {};
  /** When the latest invitation arrived, and when we last answered one. */
  #invitedAtMs = 0;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #nextAttemptAtMs: number | null = null;
  readonly #wait: Countdown;
  readonly #limit: Countdown;
  readonly #lasting: Countdown;
  readonly #profile: IncomingProfile;

  constructor(deps: PeerSessionDeps) {
    const { member, shared } = deps;
    this.#deps = deps;
    this.#shared = shared;
    this.#budgets = shared.budgets.of(member.clientId);
    this.#wait = new Countdown(shared.clock);
    this.#limit = new Countdown(shared.clock);
    this.#lasting = new Countdown(shared.clock);
    this.#profile = new IncomingProfile(shared);
    this.#profile.on("applied", (message) => this.#profileArrived(message));
    this.#profile.on("picture", (avatar) => this.#pictureArrived(avatar));
    this.#state = {
      ...member,
      session: "init",
      ready: false,
      connectedAt: null,
      attempt: 0,
      nextAttemptAtMs: null,
      profile: null,
      proof: null,
      route: null,
      error: null,
    };
  }

  get state(): Peer {
    return this.#state;
  }

  /** Starts listening to the peer and joins its pending attempt, if any. @throws WarrenError `session-closed`. */
  open(): void {
    this.#assertNotClosed("listen");
    this.#take("listen");
    const { links } = this.#deps;
    links.on("invite", () => this.#take("peer-invites"));
    if (links.isInvited) this.#take("peer-invites");
  }

  /**
   * Starts to connect, unless already connecting or connected.
   * @param waitMs how long the peer may start before we do.
   * @throws WarrenError `session-closed`.
   */
  connect(waitMs = 0): void {
    this.#assertNotClosed(this.#memory.hasMet ? "reconnect" : "connect");
    this.#take("connect", { waitMs });
  }

  /** The server changed the peer's join order. */
  moved({ order }: RoomMember): void {
    this.#patch({ order });
  }

  /** The peer joined again or a link to the server is back: signals sent in the meantime may be lost. */
  rejoined(waitMs: number): void {
    this.#take("peer-rejoins", { waitMs });
  }

  /** The peer left the room: the session lasts as long as its connection, and then emits `session-ended`. */
  left(): void {
    this.#take("peer-leaves");
  }

  /** A person requests an immediate retry. @throws WarrenError `session-closed`. */
  retry(): void {
    this.#assertNotClosed("connect");
    this.#take("retry");
  }

  /** The network or the machine is back: retries immediately instead of waiting. */
  wake(): void {
    this.#take("wake");
  }

  /** @returns the message as it was sent. @throws WarrenError `session-closed`, `channel-not-open` or `frame-too-large`. */
  send(outgoing: OutgoingMessage): PeerMessage {
    return this.#messages().send(outgoing);
  }

  /**
   * Sends a message, which may be large, once the peer can read it at once. Resolves when its bytes have left; rejects as
   * {@link send} throws, also if the connection ends before.
   */
  async sendInTurn(outgoing: OutgoingMessage): Promise<void> {
    const messages = this.#messages();
    const lanes = this.#connection?.lanes;
    const message = await messages.sendInTurn(outgoing);
    lanes?.noteSent(message, this.#route?.roundTripMs ?? null);
  }

  /** @throws WarrenError `session-closed`, `channel-not-open` or `no-available-channel`. */
  openTransferChannel(label: string, options: { readonly ordered: boolean }): RTCDataChannel {
    this.#assertNotClosed("open a channel");
    if (this.#connection === null || !this.#state.ready) throw new WarrenError("channel-not-open");
    return this.#connection.openTransferChannel(label, options);
  }

  /** The lanes that accept file channels. */
  get lanes(): readonly TransferLane[] {
    return this.#connection?.lanes.open ?? [];
  }

  /** The connection for media tracks, while messages can be sent; differs for each new connection. */
  get media(): RTCPeerConnection | null {
    return this.#state.ready ? (this.#connection?.media ?? null) : null;
  }

  /** The statistics of the connection, or null without a connection. */
  async getStats(): Promise<RTCStatsReport | null> {
    return (await this.#connection?.getStats()) ?? null;
  }

  /** Ends the session permanently and notifies the peer, which then does not reconnect automatically. */
  end(): void {
    try {
      this.#connection?.closeWith({ type: "end" });
    } catch {
      // The peer cannot receive it now.
    }
    this.close();
  }

  /** Closes the session permanently because we leave the room. The peer notices even if packets are lost. */
  leave(): void {
    this.#connection?.closeReliably();
    this.close();
  }

  /** Closes the session permanently; `error` is the reason if it was not requested. */
  close(error: WarrenError | null = null): void {
    this.#take("close", { error });
  }

  #take(event: SessionEvent, details: Details = {}): void {
    const known = {
      precedes: !this.#deps.isPolite(),
      fresh: this.#attempt !== null && this.#nowMs() - this.#attempt.startedAtMs < freshMs,
      stale: this.#nowMs() - this.#invitedAtMs >= attemptLimitMs,
      unready: !this.#isReady,
    };
    const error = details.error?.describe() ?? null;
    const { memory, isEntered, ends, effects } = advanceSession(this.#memory, event, known, error);
    this.#memory = memory;
    for (const held of ends) this.#end(held);
    if (isEntered)
      this.#nextAttemptAtMs = memory.state === "backingOff" ? this.#nowMs() + this.#backoffMs() : null;
    this.#publish();
    for (const effect of effects) {
      // Whoever heard of the change may have closed the session.
      if (this.#memory !== memory) return;
      this.#perform(effect, details);
    }
  }

  #end(held: SessionHolding): void {
    const ends: Readonly<Record<SessionHolding, () => void>> = {
      connection: () => this.#dropConnection(),
      turn: () => this.#leaveQueue(),
      wait: () => this.#wait.stop(),
      limit: () => this.#limit.stop(),
      lasting: () => this.#lasting.stop(),
    };
    ends[held]();
  }

  #perform(effect: SessionEffect, { waitMs = 0 }: Details): void {
    const { links, member } = this.#deps;
    const effects: Readonly<Record<SessionEffect, () => void>> = {
      "start-wait": () => {
        if (waitMs > 0) this.#wait.start(waitMs, () => this.#take("wait-ends"));
        else this.#take("wait-ends");
      },
      "start-backoff": () =>
        this.#wait.start((this.#nextAttemptAtMs ?? 0) - this.#nowMs(), () => this.#take("wait-ends")),
      "start-limit": () => {
        if (!this.#limit.isRunning) this.#limit.start(attemptLimitMs, () => this.#reachLimit());
      },
      "stop-limit": () => this.#limit.stop(),
      "start-lasting": () => this.#lasting.start(lastingMs, () => this.#take("has-lasted")),
      "queue-own": () => this.#queue(true),
      "queue-answer": () => this.#queueAnswer(),
      "renew-invitation": () => {
        this.#invitedAtMs = this.#nowMs();
      },
      "start-own": () => this.#begin(true),
      "start-answer": () => this.#begin(false),
      decline: () => links.decline(),
      "restart-ice": () => this.#connection?.restartIce(),
      "close-links": () => {
        this.#profile.close();
        links.close();
      },
      "report-gone": () => this.#shared.events.emit("session-ended", member.clientId),
    };
    effects[effect]();
  }

  #queue(own: boolean): void {
    this.#leaveQueue = this.#shared.attempts.enter(own, () => {
      if (!own) this.#answeredAtMs = this.#nowMs();
      this.#take("turn-comes");
    });
  }

  /** Of attempts that follow one another quickly, the last is answered. */
  #queueAnswer(): void {
    this.#invitedAtMs = this.#nowMs();
    const waitMs = this.#answeredAtMs + answerEveryMs - this.#nowMs();
    if (waitMs > 0) this.#leaveQueue = this.#shared.clock.after(waitMs, () => this.#queue(false));
    else this.#queue(false);
  }

  #begin(own: boolean): void {
    const attempt = { startedAtMs: this.#nowMs() };
    this.#attempt = attempt;
    const isCurrent = () => this.#attempt === attempt;
    this.#establish(own, isCurrent).catch((thrown: unknown) => {
      if (isCurrent()) this.#fail(toWarrenError(thrown, "webrtc-blocked", { call: "RTCPeerConnection" }));
    });
  }

  /** Creates the offer while the handshake runs; the link holds it back until it may be sent. */
  async #establish(own: boolean, isCurrent: () => boolean): Promise<void> {
    const { selfId, member, isPolite, links } = this.#deps;
    const { clock, createConnection, lanePool } = this.#shared;
    const link = own ? links.start() : links.accept();
    const made = await createConnection();
    if (!isCurrent()) {
      made.close();
      return link.close();
    }
    const connection = new Connection({
      connection: made,
      selfId,
      peerId: member.clientId,
      isPolite,
      link,
      initiator: own,
      clock,
      createConnection,
      lanePool,
      budgets: this.#budgets,
    });
    this.#connection = connection;
    connection.on("messages", (messages) => this.#listen(connection, messages));
    connection.on("open", () => this.#introduce(connection));
    connection.on("interrupted", () => this.#take("interrupted"));
    connection.on("recovered", () => this.#take("recovers"));
    connection.on("failed", (error) => this.#fail(error));
    connection.on("violation", (issue) => this.#violated(issue));
    connection.on("transfer-channel", (channel) => this.#takeTransferChannel(channel));
    connection.on("lanes", () => this.#shared.events.emit("lanes", member.clientId));
    connection.start();
  }

  #listen(connection: Connection, messages: MessageChannel): void {
    let progress: Progress | null = null;
    messages.on("violation", (issue) => this.#violated(issue));
    messages.on("message", (message) => {
      // Not before the first message: until the channel opens, the handshake may not have ended.
      progress ??= connection.binding === null ? "proof" : "nothing";
      const [decision, next] = admit(progress, message, (proof) => connection.isValidProof(proof));
      progress = next;
      switch (decision) {
        case "forged":
          return this.#fail(new WarrenError("handshake-failed", { reason: "bind" }));
        case "early":
          return this.#violated("no profile");
        case "consumed":
          return;
        case "admitted":
          if (message.type === "profile") this.#profile.take(message, !this.#isReady);
          else if (message.type === "end")
            this.#take("peer-ends", { error: new WarrenError("session-ended") });
          else if (message.type === "media-refused") this.#fail(new WarrenError("media-refused"));
          else if (!connection.lanes.take(message)) this.#received(message);
      }
    });
  }

  /** Proves who we are, and says our name: only then do others send messages. */
  #introduce(connection: Connection): void {
    try {
      const proof = connection.ownProof();
      if (proof !== null) this.send({ type: "bind", proof });
      this.send(this.#shared.ownProfile());
    } catch (thrown) {
      this.#fail(toWarrenError(thrown));
      return;
    }
    this.#route = new RouteWatch(() => connection.getStats(), this.#shared.clock);
    this.#route.on("route", (route) => this.#patch({ route }));
    this.#take("opens");
  }

  #profileArrived(message: PeerMessage): void {
    this.#isReady = true;
    this.#take("profile-arrives");
    this.#received(message);
  }

  #pictureArrived(avatar: string | null): void {
    this.#publish();
    this.#shared.events.emit("picture", this.#state.clientId, avatar);
  }

  #received(message: PeerMessage): void {
    this.#shared.events.emit("message", this.#state.clientId, message);
  }

  #violated(issue: string): void {
    this.#shared.events.emit("violation", this.#state.clientId, issue);
  }

  #takeTransferChannel(channel: RTCDataChannel): void {
    if (!this.#state.ready) {
      channel.close();
      this.#violated("no profile");
    } else this.#shared.events.emit("transfer-channel", this.#state.clientId, channel);
  }

  #fail(error: WarrenError): void {
    this.#take(failureEvent(error), { error, waitMs: backoffMs(2, this.#shared.random()) });
  }

  #reachLimit(): void {
    const isUnanswered = this.#connection?.isAnswered === false;
    this.#take("limit-ends", { error: new WarrenError(isUnanswered ? "no-answer" : "connect-timeout") });
  }

  #dropConnection(): void {
    this.#attempt = null;
    this.#isReady = false;
    this.#profile.drop();
    this.#route?.stop();
    this.#route = null;
    this.#connection?.close();
    this.#connection = null;
  }

  #messages(): MessageChannel {
    this.#assertNotClosed("send");
    const messages = this.#connection?.messages ?? null;
    if (messages === null) throw new WarrenError("channel-not-open");
    return messages;
  }

  #assertNotClosed(action: string): void {
    if (this.#state.session !== "closed") return;
    throw new WarrenError("session-closed", { id: this.#state.clientId, action });
  }

  #nowMs(): number {
    return this.#shared.clock.elapsedMs();
  }

  #backoffMs(): number {
    return backoffMs(this.#memory.failures, this.#shared.random());
  }

  #publish(): void {
    const { state, failures, error } = this.#memory;
    this.#patch({
      session: shownStatus(this.#memory),
      ready: this.#isReady,
      attempt: isOpen(state) || state === "closed" ? 0 : failures,
      nextAttemptAtMs: this.#nextAttemptAtMs,
      profile: this.#profile.shown,
      proof: this.#isReady ? (this.#connection?.binding?.peer ?? null) : this.#state.proof,
      route: this.#connection === null ? null : this.#state.route,
      error,
    });
  }

  #patch(change: Partial<Peer>): void {
    const before = this.#state;
    const changed = { ...before, ...change };
    const isThere = changed.session === "connected" || changed.session === "reconnecting";
    const connectedAt = isThere ? (before.connectedAt ?? this.#shared.clock.now()) : null;
    const now: Peer = { ...changed, connectedAt };
    if (shallow(before, now)) return;
    this.#state = now;
    const { events } = this.#shared;
    const { clientId } = now;
    events.emit("peer", now);
    if (now.ready && !before.ready) events.emit("peer-ready", clientId);
    if (!now.ready && before.ready) events.emit("peer-lost", clientId);
    if (!now.ready || !before.ready || now.session === before.session) return;
    events.emit(now.session === "connected" ? "peer-reachable" : "peer-unreachable", clientId);
  }
}
