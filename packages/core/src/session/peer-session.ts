import {
  type ClientId,
  type PeerMessage,
  type PeerMessageOf,
  type RoomMember,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { MakeConnection } from "../ice/connection-maker.ts";
import type { LanePool } from "../lanes/lane-pool.ts";
import type { TransferLane } from "../lanes/transfer-lane.ts";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import { Countdown } from "../shared/countdown.ts";
import type { Emitter } from "../shared/emitter.ts";
import type { PeerProof, SignalLink, SignalLinks } from "../signalling/signal-link.ts";
import {
  answerEveryMs,
  attemptLimitMs,
  isBreak,
  isDueOnWake,
  lastingMs,
  pauseAfterFailureMs,
  reconnectAttempts,
} from "./attempt-policy.ts";
import type { AttemptQueue } from "./attempt-queue.ts";
import { Connection } from "./connection.ts";
import type { ClientBudgets, MessageBudgets } from "./message-budget.ts";
import type { MessageChannel, OutgoingMessage } from "./message-channel.ts";
import type { Peer, PeerEvents } from "./peer.ts";
import { admit, type Progress } from "./proof-order.ts";
import { type RouteWatch, watchRoute } from "./route.ts";

/** How often a change of the peer's name or picture is applied: a picture has to be re-encoded. */
const profileEveryMs = 1_000;
/** When a picture that could not be redrawn yet is tried again. */
const pictureRetryMs = 5_000;

/** Shared by all sessions of a page. */
export interface SessionEnvironment {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Never rejects because a relay is unavailable. */
  readonly makeConnection: MakeConnection;
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

/** The options of {@link PeerSession}. */
interface PeerSessionOptions {
  readonly selfId: ClientId;
  readonly member: RoomMember;
  /** Whether we yield in a collision; evaluated when one happens. */
  readonly isPolite: () => boolean;
  readonly links: SignalLinks;
  readonly environment: SessionEnvironment;
}

/**
 * The session with one other client over all its connections. Either side may start an attempt: the
 * other drops its current connection and joins the attempt. Of two simultaneous attempts the impolite side's wins.
 * attempt-policy.ts decides when attempts start.
 */
export class PeerSession {
  readonly #options: PeerSessionOptions;
  readonly #environment: SessionEnvironment;
  readonly #budgets: ClientBudgets;
  #state: Peer;
  /** The latest picture that the peer sent. */
  #sentPicture: string | null = null;
  #connection: Connection | null = null;
  /** The current attempt, from its start until its message channel is open. */
  #attempt: { readonly own: boolean; readonly startedAtMs: number } | null = null;
  /** The attempt in the page's queue, and when it was queued. */
  #queued: { readonly own: boolean; readonly atMs: number } | null = null;
  /** Leaves the attempt queue or frees the slot in it. */
  #leaveQueue: () => void = () => {};
  #wasConnected = false;
  /** Failed attempts and early broken connections in a row. */
  #failures = 0;
  /** The time after which a connection counts as a success. */
  readonly #lasting: Countdown;
  #present = true;
  /** The time limit of an attempt, then of the peer's profile. */
  readonly #deadline: Countdown;
  /** The delay before our next attempt. */
  readonly #wait: Countdown;
  /** When we last answered an attempt of the peer, and the delay before the next answer. */
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  readonly #nextAnswer: Countdown;
  /** When the peer's profile was last applied, and the delay before the next one. */
  #profileAt = 0;
  readonly #nextProfile: Countdown;
  readonly #nextPicture: Countdown;
  #route: RouteWatch | null = null;

  constructor(options: PeerSessionOptions) {
    const { member, environment } = options;
    this.#options = options;
    this.#environment = environment;
    this.#budgets = environment.budgets.of(member.clientId);
    this.#deadline = new Countdown(environment.clock);
    this.#wait = new Countdown(environment.clock);
    this.#nextAnswer = new Countdown(environment.clock);
    this.#lasting = new Countdown(environment.clock);
    this.#nextProfile = new Countdown(environment.clock);
    this.#nextPicture = new Countdown(environment.clock);
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
    this.#patch({ session: "created" });
    const { links } = this.#options;
    links.on("invite", () => this.#invited());
    if (links.isInvited) this.#invited();
  }

  /**
   * Starts to connect, unless already connecting or connected.
   * @param waitMs how long the peer may start before we do.
   * @throws WarrenError `session-closed`.
   */
  connect(waitMs = 0): void {
    this.#assertNotClosed(this.#wasConnected ? "reconnect" : "connect");
    const { session } = this.#state;
    if (session !== "created" && session !== "disconnected") return;
    this.#failures = 0;
    this.#patch({ session: "connecting", attempt: 0, nextAttemptAtMs: null, error: null });
    this.#startAfter(waitMs);
  }

  /** The server changed the peer's join order. */
  moved({ order }: RoomMember): void {
    this.#patch({ order });
  }

  /** The peer joined again or its link to the server is back: signals sent in the meantime may be lost. */
  rejoined(waitMs: number): void {
    this.#present = true;
    const { session } = this.#state;
    if (session === "connecting" || session === "reconnecting") {
      this.#deadline.stop();
      this.#startAfter(waitMs);
    } else if (session === "created" || session === "disconnected") this.connect(waitMs);
  }

  /** The peer left the room. @returns whether the session survives because its connection works. */
  left(): boolean {
    this.#present = false;
    return this.#connection !== null && this.#attempt === null;
  }

  /** A person requests an immediate retry. @throws WarrenError `session-closed`. */
  retry(): void {
    if (this.#state.nextAttemptAtMs === null) this.connect();
    else this.wake();
  }

  /** The network or the machine is back: retries immediately instead of waiting. */
  wake(): void {
    const { session, nextAttemptAtMs } = this.#state;
    const isPausing = nextAttemptAtMs !== null;
    const isTrying = session === "reconnecting" || (session === "connecting" && this.#attempt !== null);
    // A peer that left would not receive a new attempt, but its existing connection may still recover.
    if (!this.#present || this.#queued !== null || (!isPausing && !isTrying)) return;
    const startedAtMs = this.#attempt?.startedAtMs ?? null;
    if (!isDueOnWake(startedAtMs === null ? null : this.#environment.clock.elapsedMs() - startedAtMs)) return;
    this.#deadline.stop();
    this.#retry();
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

  /** The round trip time of a packet, measured every 5 s; null while it is unknown. */
  get roundTripMs(): number | null {
    return this.#route?.roundTripMs ?? null;
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
    if (this.#state.session === "closed") return;
    this.#dropConnection();
    this.#nextPicture.stop();
    this.#deadline.stop();
    this.#options.links.close();
    this.#patch({
      session: "closed",
      ready: false,
      attempt: 0,
      nextAttemptAtMs: null,
      route: null,
      error: error?.describe() ?? null,
    });
  }

  #startAfter(waitMs: number): void {
    this.#patch({ nextAttemptAtMs: null });
    if (waitMs === 0) this.#start();
    else this.#wait.start(waitMs, () => this.#start());
  }

  #retry(): void {
    this.#patch({ session: this.#wasConnected ? "reconnecting" : "connecting", nextAttemptAtMs: null });
    this.#start();
  }

  #start(): void {
    this.#dropConnection();
    this.#patch({ ready: false, route: null });
    this.#enterQueue(true, () => this.#run(true, this.#options.links.start()));
  }

  #enterQueue(own: boolean, begin: () => void, waitMs = 0): void {
    const { attempts, clock } = this.#environment;
    this.#queued = { own, atMs: clock.elapsedMs() };
    const enter = () => {
      this.#leaveQueue = attempts.enter(own, begin);
    };
    if (waitMs === 0) enter();
    else this.#nextAnswer.start(waitMs, enter);
  }

  #invited(): void {
    if (this.#attempt?.own === true && !this.#options.isPolite()) {
      this.#options.links.decline();
      return;
    }
    const { session } = this.#state;
    this.#deadline.stop();
    if (this.#queued?.own === false) {
      // It started again meanwhile, and keeps its queue position.
      this.#queued = { own: false, atMs: this.#environment.clock.elapsedMs() };
      return;
    }
    this.#dropConnection();
    if (session === "connected" || session === "reconnecting") {
      this.#failures = Math.max(1, this.#failures);
      const change = { ready: false, attempt: this.#failures, route: null };
      this.#patch({ ...change, session: "reconnecting", nextAttemptAtMs: null });
    } else this.#patch({ session: "connecting", nextAttemptAtMs: null, error: null });
    const waitMs = this.#answeredAtMs + answerEveryMs - this.#environment.clock.elapsedMs();
    this.#enterQueue(false, () => this.#accept(), Math.max(0, waitMs));
  }

  #accept(): void {
    const { links } = this.#options;
    const nowMs = this.#environment.clock.elapsedMs();
    this.#answeredAtMs = nowMs;
    // The peer has given up its attempt by then.
    const isStale = this.#queued !== null && nowMs - this.#queued.atMs >= attemptLimitMs;
    this.#run(isStale, isStale ? links.start() : links.accept());
  }

  #run(own: boolean, link: SignalLink): void {
    const attempt = { own, startedAtMs: this.#environment.clock.elapsedMs() };
    this.#attempt = attempt;
    this.#queued = null;
    if (!this.#deadline.isRunning) this.#setDeadline();
    const isCurrent = () => this.#attempt === attempt;
    this.#establish(own, link, isCurrent).catch((thrown: unknown) => {
      if (isCurrent()) this.#fail(toWarrenError(thrown, "webrtc-blocked", { call: "RTCPeerConnection" }));
    });
  }

  /** Creates the offer while the handshake runs; the link holds it back until it may be sent. */
  async #establish(own: boolean, link: SignalLink, isCurrent: () => boolean): Promise<void> {
    const { selfId, member, isPolite } = this.#options;
    const { clock, makeConnection, lanePool } = this.#environment;
    const made = await makeConnection();
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
      makeConnection,
      lanePool,
      budgets: this.#budgets,
    });
    this.#connection = connection;
    connection.events.on("messages", (messages) => this.#listen(connection, messages));
    connection.events.on("open", () => this.#opened(connection));
    connection.events.on("interrupted", () => this.#interrupted(connection));
    connection.events.on("recovered", () => this.#carries());
    connection.events.on("failed", (error) => this.#fail(error));
    connection.events.on("violation", (issue) => this.#violated(issue));
    connection.events.on("transfer-channel", (channel) => this.#takeTransferChannel(channel));
    connection.events.on("lanes", () => this.#environment.events.emit("lanes", member.clientId));
    connection.start();
  }

  #listen(connection: Connection, messages: MessageChannel): void {
    let progress: Progress | null = null;
    messages.events.on("violation", (issue) => this.#violated(issue));
    messages.events.on("message", (message) => {
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
          if (message.type === "profile") this.#takeProfile(message, connection.binding?.peer ?? null);
          else if (message.type === "end") this.#endedByPeer();
          else if (message.type === "media-refused") this.#fail(new WarrenError("media-refused"));
          else if (!connection.lanes.take(message)) this.#received(message);
      }
    });
  }

  /** Applies a connection's first profile at once, then at most one a second, the latest. */
  #takeProfile(message: PeerMessageOf<"profile">, proof: PeerProof | null): void {
    const now = this.#environment.clock.elapsedMs();
    const waitMs = this.#state.ready ? this.#profileAt + profileEveryMs - now : 0;
    if (waitMs > 0) {
      this.#nextProfile.start(waitMs, () => this.#takeProfile(message, proof));
      return;
    }
    this.#profileAt = now;
    const { name, avatar: sent } = message;
    const { profile } = this.#state;
    // Keep the previous picture until the new one is re-encoded.
    const avatar = sent === null ? null : (profile?.avatar ?? null);
    const isSame = profile?.name === name && profile.avatar === avatar;
    this.#patch({ ready: true, profile: isSame ? profile : { name, avatar }, proof });
    if (this.#state.session === "connected") this.#deadline.stop();
    this.#received(message);
    if (sent !== this.#sentPicture) void this.#takePicture(sent);
  }

  async #takePicture(sent: string | null): Promise<void> {
    this.#sentPicture = sent;
    this.#nextPicture.stop();
    if (sent === null) return;
    // Undefined if the code for it cannot be fetched now: the known picture is kept.
    const avatar = await this.#environment.cleanPicture(sent, "avatar").catch(() => undefined);
    const { clientId, profile, session } = this.#state;
    // Another picture may have arrived meanwhile.
    if (this.#sentPicture !== sent || profile === null || session === "closed") return;
    if (avatar === undefined) {
      this.#nextPicture.start(pictureRetryMs, () => void this.#takePicture(sent));
      return;
    }
    this.#patch({ profile: { ...profile, avatar } });
    this.#environment.events.emit("picture", clientId, avatar);
  }

  #received(message: PeerMessage): void {
    this.#environment.events.emit("message", this.#state.clientId, message);
  }

  #violated(issue: string): void {
    this.#environment.events.emit("violation", this.#state.clientId, issue);
  }

  /** The peer ended the session and may start again; until then there is nothing to retry. */
  #endedByPeer(): void {
    this.#dropConnection();
    this.#deadline.stop();
    this.#wasConnected = false;
    this.#failures = 0;
    const error = new WarrenError("session-ended").describe();
    const ended = { ready: false, attempt: 0, nextAttemptAtMs: null, route: null, error };
    this.#patch({ ...ended, session: "disconnected" });
  }

  #takeTransferChannel(channel: RTCDataChannel): void {
    if (!this.#state.ready) {
      channel.close();
      this.#violated("no profile");
    } else this.#environment.events.emit("transfer-channel", this.#state.clientId, channel);
  }

  #opened(connection: Connection): void {
    this.#attempt = null;
    this.#leaveQueue();
    this.#wasConnected = true;
    try {
      const proof = connection.ownProof();
      if (proof !== null) this.send({ type: "bind", proof });
      this.send(this.#environment.ownProfile());
    } catch (thrown) {
      this.#fail(toWarrenError(thrown));
      return;
    }
    this.#carries();
    this.#route = watchRoute(() => connection.getStats(), this.#environment.clock);
    this.#route.on("route", (route) => this.#patch({ route }));
  }

  #interrupted(connection: Connection): void {
    // The peer has left and closed the connection; the one datagram that reports it was lost.
    if (!this.#present) {
      this.#fail(new WarrenError("connection-failed", { state: "disconnected" }));
      return;
    }
    this.#patch({ session: "reconnecting" });
    this.#setDeadline();
    connection.restartIce();
  }

  /** The connection is open; without the peer's profile in time it is replaced. */
  #carries(): void {
    this.#wait.stop();
    if (this.#state.ready) this.#deadline.stop();
    else this.#setDeadline();
    this.#lasting.start(lastingMs, () => {
      this.#failures = 0;
    });
    this.#patch({ session: "connected", attempt: 0, nextAttemptAtMs: null, error: null });
  }

  #fail(error: WarrenError): void {
    this.#dropConnection();
    const { random, clock } = this.#environment;
    // A first connection that breaks early is retried within the time limit of its attempt.
    if (this.#state.session === "connecting" && isBreak(error) && this.#deadline.isRunning) {
      this.#startAfter(pauseAfterFailureMs(error, 2, random()) ?? 0);
      return;
    }
    this.#deadline.stop();
    if (!this.#present) {
      this.#environment.events.emit("session-ended", this.#state.clientId);
      return;
    }
    const attempt = ++this.#failures;
    const pauseMs = pauseAfterFailureMs(error, attempt, random());
    if (pauseMs === null || attempt > reconnectAttempts) this.#wasConnected = false;
    this.#patch({
      session: this.#wasConnected ? "reconnecting" : "disconnected",
      ready: false,
      attempt,
      nextAttemptAtMs: pauseMs === null ? null : clock.elapsedMs() + pauseMs,
      route: null,
      error: error.describe(),
    });
    if (pauseMs !== null) this.#wait.start(pauseMs, () => this.#retry());
  }

  #setDeadline(): void {
    this.#deadline.start(attemptLimitMs, () => {
      const isUnanswered = this.#connection?.isAnswered === false;
      this.#fail(new WarrenError(isUnanswered ? "no-answer" : "connect-timeout"));
    });
  }

  #dropConnection(): void {
    this.#wait.stop();
    this.#lasting.stop();
    this.#nextProfile.stop();
    this.#route?.stop();
    this.#nextAnswer.stop();
    this.#leaveQueue();
    this.#attempt = null;
    this.#queued = null;
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

  #patch(change: Partial<Peer>): void {
    const before = this.#state;
    const changed = { ...before, ...change };
    const isThere = changed.session === "connected" || changed.session === "reconnecting";
    const connectedAt = isThere ? (before.connectedAt ?? this.#environment.clock.now()) : null;
    const now: Peer = { ...changed, connectedAt };
    if (shallow(before, now)) return;
    this.#state = now;
    const { events } = this.#environment;
    const { clientId } = now;
    events.emit("peer", now);
    if (now.ready && !before.ready) events.emit("peer-ready", clientId);
    if (!now.ready && before.ready) events.emit("peer-lost", clientId);
    if (!now.ready || !before.ready || now.session === before.session) return;
    events.emit(now.session === "connected" ? "peer-reachable" : "peer-unreachable", clientId);
  }
}
