import {
  type Announcements,
  type ClientId,
  limits,
  type PeerMessage,
  type PeerMessageOf,
  type RoomTag,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import { ConnectionFactory } from "../ice/connection-factory.ts";
import { IceConfiguration, type IceConfigurationDeps } from "../ice/ice-configuration.ts";
import type { LeftOutServer } from "../ice/ice-servers.ts";
import type { ServerVerdicts } from "../ice/server-verdicts.ts";
import type { TurnContext } from "../ice/turn-credentials.ts";
import { LanePool } from "../lanes/lane-pool.ts";
import type { TransferLane } from "../lanes/transfer-lane.ts";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import type { SignallingBackend, SignallingClientStatus } from "../ports/signalling.ts";
import type { Profile } from "../profile/profile.ts";
import type { RoomSecurity } from "../sealed/sealed-room.ts";
import { AttemptQueue } from "../session/attempt-queue.ts";
import { MessageBudgets } from "../session/message-budget.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { Peer } from "../session/peer.ts";
import type { PeerSession, SharedSessionDeps } from "../session/peer-session.ts";
import type { Options } from "../settings/options.ts";
import { Emitter } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { Membership, type MembershipDeps } from "./membership.ts";
import { Refusals } from "./refusals.ts";
import {
  disconnected,
  isMeeting,
  peersOf,
  type RoomEvents,
  type RoomState,
  withoutPeer,
  withPeer,
  withSignalling,
} from "./room-state.ts";
import { nearbyTag, roomTagOf } from "./room-tag.ts";

export interface RoomServiceDeps {
  readonly profile: () => Pick<Profile, "roomId" | "clientId" | "password" | "name" | "avatar">;
  readonly options: () => Pick<Options, "servers" | "relayOnly">;
  readonly signalling: SignallingBackend;
  readonly createPeerConnection: CreatePeerConnection;
  readonly verdicts: ServerVerdicts;
  readonly fetch: TurnContext["fetch"];
  readonly serverTime: IceConfigurationDeps["serverTime"];
  readonly clock: Clock;
  readonly environment: Environment;
  readonly security: RoomSecurity;
  /** Whether to tell others that we read and write the log of the room. */
  readonly hasRoomLog?: boolean;
  /** Without it, peers' pictures are not shown. */
  readonly cleanPicture?: CleanPicture;
  readonly log?: Log;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random?: () => number;
}

/** A room as its link names it. */
export type RoomKey = Pick<Profile, "roomId" | "password">;

/** The room we are in, if any, and the sessions with its other members. */
export class RoomService extends Emitter<RoomEvents> {
  readonly store: ReadableStore<RoomState>;
  /** The servers that connections do without, and why. */
  readonly leftOutServers: ReadableStore<readonly LeftOutServer[]>;
  readonly #store: WritableStore<RoomState> = createStore<RoomState>(disconnected(null));
  readonly #deps: RoomServiceDeps;
  readonly #refusals: Refusals;
  readonly #sessions: SharedSessionDeps;
  readonly #stopListening: readonly (() => void)[];
  #membership: Membership | null = null;
  #entered: RoomKey | null = null;
  /** Cancels the join in progress when we leave in the meantime. */
  #joining: AbortController | null = null;
  /** Why signalling ended permanently while sessions remain. */
  #signallingError: WarrenError | null = null;

  constructor(deps: RoomServiceDeps) {
    super();
    this.store = this.#store;
    this.#deps = deps;
    this.#refusals = new Refusals(deps.clock);
    const { clock, security, cleanPicture = async () => null, random = Math.random } = deps;
    const connections = new ConnectionFactory({
      ...deps,
      configuration: new IceConfiguration(deps),
      certificates: () => security.certificates(),
      relays: () => this.relays,
    });
    this.leftOutServers = connections.leftOut;
    this.#sessions = {
      clock,
      random,
      cleanPicture,
      createConnection: connections.make,
      attempts: new AttemptQueue(clock),
      lanePool: new LanePool(),
      budgets: new MessageBudgets(clock),
      ownProfile: () => this.#ownProfile(),
      events: this,
    };
    this.#stopListening = [
      deps.environment.on("wake", () => this.#membership?.wake()),
      // A browser that kills a page closes no connections; peers would only notice after a timeout.
      deps.environment.on("gone", () => this.#vanish()),
      security.on("approval-needed", (clientId) => this.emit("approval-needed", clientId)),
      security.on("approval-over", (clientId) => this.emit("approval-over", clientId)),
    ];
    this.on("peer", (peer) => this.#notePeer(peer));
    this.on("peer-left", (clientId) => {
      this.#update((state) => withoutPeer(state, clientId));
      this.#leaveWhenAlone();
    });
    this.on("signalling", (status) => this.#noteSignalling(status));
  }

  /** Starts the slow preparations of a join while a person decides; sends and stores nothing. */
  prepare({ roomId, password }: RoomKey): void {
    this.#deps.security.prepare({ roomTag: roomTagOf(roomId), password });
  }

  /**
   * Joins the room of the profile, and leaves the pages nearby.
   * @param over what introduces its members, if not the service of all other rooms
   * @throws WarrenError the reason of the failure (see SignallingBackend), `already-connected` when in a room or
   * already joining, `connection-closed` when left in the meantime.
   */
  async join(over: SignallingBackend = this.#deps.signalling): Promise<void> {
    const { roomId, password } = this.#deps.profile();
    const { status } = this.#store.getState();
    if (status === "connecting" || status === "connected")
      throw new WarrenError("already-connected", { id: roomId });
    this.#end();
    this.#entered = { roomId, password };
    this.#store.setState({ status: "connecting", roomId, isWaiting: false }, true);
    const taken = await this.#takeSeat({ roomTag: roomTagOf(roomId), password }, { over }).catch(
      (thrown: unknown) => {
        const error = toWarrenError(thrown);
        if (error.code !== "connection-closed") this.#store.setState(disconnected(error), true);
        throw error;
      },
    );
    const joinedAt = this.#deps.clock.now();
    this.#store.setState({ status: "connected", roomId, joinedAt, signalling: "online", peers: {} }, true);
    this.#begin(taken);
  }

  /**
   * Joins the pages of our network, while in no room; their room has no name and no call, and is not everyone's. The state
   * stays `disconnected` until then. @throws as {@link join}, and `nearby-unavailable`.
   */
  async joinNearby(): Promise<void> {
    if (this.#store.getState().status !== "disconnected" || this.#joining !== null)
      throw new WarrenError("already-connected", { id: nearbyTag });
    const taken = await this.#takeSeat({ roomTag: nearbyTag, password: null }, { nearby: true });
    this.#store.setState({ status: "nearby", signalling: "online", peers: {} }, true);
    this.#begin(taken);
  }

  /** Leaves the pages nearby, or cancels joining them; does nothing in a room. */
  leaveNearby(): void {
    const { status } = this.#store.getState();
    if (status === "nearby") this.#leave(null);
    else if (status === "disconnected") this.#end();
  }

  /** Whether those we meet are pages nearby, not members of a room. */
  get isNearby(): boolean {
    return this.#store.getState().status === "nearby";
  }

  async #takeSeat(
    room: { readonly roomTag: RoomTag; readonly password: string | null },
    { nearby = false, over = this.#deps.signalling }: { nearby?: boolean; over?: SignallingBackend },
  ): Promise<Pick<MembershipDeps, "client" | "links">> {
    const joining = new AbortController();
    const { signal: calledOff } = joining;
    this.#joining = joining;
    const onWaiting = (isWaiting: boolean) =>
      this.#update((state) => (state.status === "connecting" ? { ...state, isWaiting } : state));
    const { clientId } = this.#deps.profile();
    const { links, ...admission } = this.#deps.security.enter(room);
    const seat = { roomTag: room.roomTag, nearby, clientId, ...admission, onWaiting, calledOff };
    const client = await over.createClient(seat).catch((thrown: unknown) => {
      // A cancelled join always fails with this error, whatever its own outcome.
      if (calledOff.aborted) throw new WarrenError("connection-closed", {}, { cause: thrown });
      this.#joining = null;
      const error = toWarrenError(thrown, "signalling-unreachable");
      (this.#deps.log ?? silentLog).warn("could not join the room", { code: error.code });
      throw error;
    });
    if (calledOff.aborted) {
      client.destroy();
      throw new WarrenError("connection-closed");
    }
    this.#joining = null;
    return { client, links };
  }

  #begin(taken: Pick<MembershipDeps, "client" | "links">): void {
    this.#membership = new Membership({
      ...taken,
      refusals: this.#refusals,
      shared: this.#sessions,
      events: this,
    });
    this.#membership.start();
  }

  /** The room that we are in or joining, with the password that we have for it; null in none. */
  get entered(): RoomKey | null {
    return "roomId" in this.#store.getState() ? this.#entered : null;
  }

  /** The relays that the server currently provides. */
  get relays(): readonly RTCIceServer[] {
    return this.#membership?.relays ?? [];
  }

  /** Leaves the room, or cancels a join; does nothing outside of a room. */
  leave(): void {
    if (!this.isNearby) this.#leave(null);
  }

  /**
   * Sends a small message to one peer.
   * @returns the message as it was sent.
   * @throws WarrenError `no-session`, `channel-not-open` or `frame-too-large`.
   */
  send(to: ClientId, outgoing: OutgoingMessage): PeerMessage {
    return this.#session(to).send(outgoing);
  }

  /**
   * Sends a message, which may be large, once the peer can read it at once. Resolves when its bytes have left; rejects as
   * {@link send} throws, also if the connection ends before.
   */
  async sendInTurn(to: ClientId, outgoing: OutgoingMessage): Promise<void> {
    await this.#session(to).sendInTurn(outgoing);
  }

  /** Another member of the room, or undefined. */
  peer(clientId: ClientId): Peer | undefined {
    return peersOf(this.#store.getState())[clientId];
  }

  /** Whether messages can be sent to a client. */
  isReady(clientId: ClientId): boolean {
    return this.peer(clientId)?.ready === true;
  }

  /** Whether the peer is ready and packets get through, so an answer can be expected. */
  isReachable(clientId: ClientId): boolean {
    const peer = this.peer(clientId);
    return peer?.ready === true && peer.session === "connected";
  }

  /** The clients that can receive messages now. */
  readyPeers(): ClientId[] {
    return Object.values(peersOf(this.#store.getState()))
      .filter(({ ready }) => ready)
      .map(({ clientId }) => clientId);
  }

  /** Sends our profile to everyone, after it changed. */
  announceProfile(): void {
    for (const peerId of this.#membership?.connectedPeers() ?? []) {
      try {
        this.send(peerId, this.#ownProfile());
      } catch (thrown) {
        // The channel has just closed: the peer receives the profile when it reconnects.
        this.#log("could not announce the profile", thrown);
      }
    }
  }

  /** Ends the session with a client, present or not, and refuses it until admitted. */
  refuse(clientId: ClientId): void {
    this.#refusals.refuse(clientId);
    this.#membership?.refuse(clientId);
  }

  /** Reverts {@link refuse}. */
  admit(clientId: ClientId): void {
    this.#refusals.admit(clientId);
    this.#membership?.admit(clientId);
  }

  /** A person admits the client of an `approval-needed` event; allows it one more wrong password. */
  letIn(clientId: ClientId): void {
    this.#deps.security.letIn(clientId);
    this.#membership?.letIn(clientId);
  }

  /**
   * Retries the connection to an unconnected peer immediately. @throws WarrenError `no-session` or `session-closed`.
   */
  retryConnection(peerId: ClientId): void {
    this.#session(peerId).retry();
  }

  /** @throws WarrenError `no-session`, `channel-not-open` or `no-available-channel`. */
  openTransferChannel(
    peerId: ClientId,
    label: string,
    options: { readonly ordered: boolean },
  ): RTCDataChannel {
    return this.#session(peerId).openTransferChannel(label, options);
  }

  /** The lanes to a peer that accept file channels. */
  lanesTo(peerId: ClientId): readonly TransferLane[] {
    return this.#membership?.find(peerId)?.lanes ?? [];
  }

  /** The connection that takes media tracks for a peer, from `peer-ready` to `peer-lost`; null otherwise. */
  mediaOf(peerId: ClientId): RTCPeerConnection | null {
    return this.#membership?.find(peerId)?.media ?? null;
  }

  /** Reports a violation that only the call or the transfers can detect; it counts like any other. */
  reportViolation(peerId: ClientId, issue: string): void {
    this.emit("violation", peerId, issue);
  }

  /** The statistics of the connection to a peer, or null without a connection. */
  async getStats(peerId: ClientId): Promise<RTCStatsReport | null> {
    return (await this.#membership?.find(peerId)?.getStats()) ?? null;
  }

  /** Leaves the room and removes every listener. */
  close(): void {
    this.leaveNearby();
    this.leave();
    for (const stop of this.#stopListening) stop();
    this.clear();
  }

  /** The page is being closed: reports nothing more, so that a reload finds the storage unchanged. */
  #vanish(): void {
    this.clear();
    this.#membership?.vanish();
  }

  #notePeer(peer: Peer): void {
    this.#update((state) => withPeer(state, peer));
    if (typeof this.entered?.password === "string") this.#leaveWhenRefused(peer);
    this.#leaveWhenAlone();
  }

  #noteSignalling(status: SignallingClientStatus): void {
    const state = this.#store.getState();
    const wasAway = isMeeting(state) && state.signalling !== "online";
    this.#update((current) =>
      withSignalling(current, status.status === "online" ? "online" : "reconnecting"),
    );
    if (status.status === "closed") {
      this.#signallingError = status.error;
      // Nobody nearby was chosen, so no session outlives our place among them.
      if (this.isNearby) this.#leave(status.error);
      else this.#leaveWhenAlone();
    } else if (status.status === "online" && wasAway) this.#membership?.resume();
  }

  /** Without signalling, a dropped session cannot reconnect; after the last one the room is gone. */
  #leaveWhenAlone(): void {
    if (this.#signallingError !== null && this.#membership?.connectedPeers().length === 0)
      this.#leave(this.#signallingError);
  }

  /**
   * If earlier members have a different password, this is not our room. Later joiners are ignored here.
   * Without a password of our own, any member could evict us with a wrong tag, so only the run with that member ends.
   */
  #leaveWhenRefused({ order, error }: Peer): void {
    const membership = this.#membership;
    if (membership === null) return;
    const refused = error?.code === "incorrect-password" && order < membership.order;
    if (refused && membership.connectedPeers().length === 0)
      this.#leave(new WarrenError("incorrect-password"));
  }

  #leave(error: WarrenError | null): void {
    const { status } = this.#store.getState();
    if (status === "disconnected") return;
    this.#end();
    if (status === "nearby" && error !== null) this.emit("nearby-ended", error);
    // Nobody asked for a room whose end would have to be shown.
    this.#store.setState(disconnected(status === "nearby" ? null : error), true);
  }

  #end(): void {
    this.#joining?.abort();
    this.#joining = null;
    this.#signallingError = null;
    const membership = this.#membership;
    this.#membership = null;
    membership?.close();
  }

  #update(change: (state: RoomState) => RoomState): void {
    const state = this.#store.getState();
    const next = change(state);
    if (next !== state) this.#store.setState(next, true);
  }

  #session(peerId: ClientId): PeerSession {
    if (this.#membership === null) throw new WarrenError("no-session", { id: peerId });
    return this.#membership.session(peerId);
  }

  #ownProfile(): Pick<PeerMessageOf<"profile">, "type" | "name" | "avatar"> &
    Readonly<Record<keyof Announcements, true | undefined>> {
    const { name, avatar } = this.#deps.profile();
    // Never send the address of a picture: fetching it would reveal the peer's IP address to its host.
    const sendable = avatar?.startsWith("data:image/") === true && utf8Length(avatar) <= limits.avatarBytes;
    return {
      type: "profile",
      name,
      avatar: sendable ? avatar : null,
      roomLog: this.#deps.hasRoomLog ? true : undefined,
      rings: true,
      changes: true,
      ownEntries: this.#deps.hasRoomLog ? true : undefined,
    };
  }

  #log(message: string, thrown: unknown): void {
    (this.#deps.log ?? silentLog).debug(message, { code: toWarrenError(thrown).code });
  }
}
