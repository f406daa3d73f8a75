import {
  type ClientId,
  limits,
  type PeerMessage,
  type PeerMessageOf,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { RoomSecurity } from "../connection/sealed-room.ts";
import type { TurnContext } from "../connection/turn-credentials.ts";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import type { SignallingBackend, SignallingClient, SignallingClientStatus } from "../ports/signalling.ts";
import type { Surroundings } from "../ports/surroundings.ts";
import type { Profile } from "../profile/profile.ts";
import type { Options } from "../settings/options.ts";
import { Emitter, type EventSource, type Unsubscribe } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { addressMessage, type OutgoingMessage } from "./outgoing-message.ts";
import { Refusals } from "./refusals.ts";
import type { RoomEvents } from "./room-events.ts";
import type { RoomMachinery } from "./room-machinery.ts";
import type { RoomPeer, RoomState } from "./room-state.ts";
import type { RoomStay } from "./room-stay.ts";
import { disconnected, withoutPeer, withPeer, withSignalling } from "./room-updates.ts";

/** What a room needs. */
export interface RoomServiceDeps {
  readonly profile: () => Pick<Profile, "roomId" | "clientId" | "password" | "name" | "avatar">;
  readonly options: () => Pick<Options, "servers" | "relayOnly">;
  readonly signalling: SignallingBackend;
  readonly createPeerConnection: CreatePeerConnection;
  readonly fetch: TurnContext["fetch"];
  readonly clock: Clock;
  readonly surroundings: Surroundings;
  /** Asked with the first join, so that a page that only shows itself need not have its code. */
  readonly security: () => Promise<RoomSecurity>;
  /** Without it no peer's picture is shown. */
  readonly cleanPicture?: CleanPicture;
  readonly log?: Log;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random?: () => number;
}

/** The room we are in, if any, and the sessions with the others in it. */
export class RoomService implements EventSource<RoomEvents> {
  readonly store: ReadableStore<RoomState>;
  readonly #store: WritableStore<RoomState> = createStore<RoomState>(disconnected(null));
  readonly #deps: RoomServiceDeps;
  readonly #events = new Emitter<RoomEvents>();
  readonly #refusals: Refusals;
  readonly #stopListening: readonly (() => void)[];
  #machinery: Promise<RoomMachinery> | null = null;
  #stay: RoomStay | null = null;
  /** Names the join under way, so that leaving meanwhile can call it off. */
  #joining: AbortController | null = null;
  /** Why signalling has closed for good while sessions live on. */
  #signallingError: WarrenError | null = null;

  constructor(deps: RoomServiceDeps) {
    this.store = this.#store;
    this.#deps = deps;
    this.#refusals = new Refusals(deps.clock);
    this.#stopListening = [
      deps.surroundings.onWake(() => this.#stay?.wake()),
      // A browser that ends a page's process closes nothing: the others would wait for the silence to last.
      deps.surroundings.onGone(() => this.#stay?.vanish()),
    ];
  }

  on<T extends keyof RoomEvents>(type: T, listener: (...args: RoomEvents[T]) => void): Unsubscribe {
    return this.#events.on(type, listener);
  }

  /**
   * Enters the room of the profile.
   * @throws WarrenError why it could not (see SignallingBackend), `already-connected` when in a room or on the way
   * to one, `connection-closed` when left meanwhile.
   */
  async join(): Promise<void> {
    const { roomId, clientId, password } = this.#deps.profile();
    if (this.#store.getState().status !== "disconnected")
      throw new WarrenError("already-connected", { id: roomId });
    const joining = new AbortController();
    const { signal: calledOff } = joining;
    this.#joining = joining;
    const onWaiting = (isWaiting: boolean) =>
      this.#update((state) => (state.status === "connecting" ? { ...state, isWaiting } : state));
    this.#store.setState({ status: "connecting", roomId, isWaiting: false }, true);
    const enter = async () => {
      const machinery = await this.#loadMachinery();
      if (calledOff.aborted) throw new WarrenError("connection-closed");
      const { links, ...admission } = machinery.enter(roomId, password);
      const client = await this.#deps.signalling.createClient({
        clientId,
        ...admission,
        onWaiting,
        calledOff,
      });
      return { client, stay: () => machinery.createStay({ selfId: clientId, client, links }) };
    };
    const { client, stay: createStay } = await enter().catch((thrown: unknown) => {
      // However a join ends that was called off: nobody waits for it to succeed.
      if (calledOff.aborted) throw new WarrenError("connection-closed", {}, { cause: thrown });
      const error = toWarrenError(thrown, "signalling-unreachable");
      (this.#deps.log ?? silentLog).warn("could not join the room", { code: error.code });
      this.#store.setState(disconnected(error), true);
      throw error;
    });
    if (calledOff.aborted) {
      client.destroy();
      throw new WarrenError("connection-closed");
    }
    this.#joining = null;
    const joinedAt = this.#deps.clock.now();
    this.#store.setState({ status: "connected", roomId, joinedAt, signalling: "online", peers: {} }, true);
    const stay = createStay();
    this.#stay = stay;
    this.#follow(stay, client, password !== null);
    stay.start();
  }

  /** Leaves the room, or calls a join off; nothing happens outside of one. */
  leave(): void {
    this.#leave(null);
  }

  /**
   * Sends a message to one peer.
   * @returns the message as it was sent.
   * @throws WarrenError `no-session`, `channel-not-open` or `frame-too-large`.
   */
  send(to: ClientId, outgoing: OutgoingMessage): PeerMessage {
    const session = this.#stayOr(to).session(to);
    const message = addressMessage(outgoing, this.#deps.profile().clientId, to, this.#deps.clock.now());
    session.send(message);
    return message;
  }

  /** Tells everyone who we are, after the profile has changed. */
  announceProfile(): void {
    for (const peerId of this.#stay?.connectedPeers() ?? []) {
      try {
        this.send(peerId, this.#ownProfile());
      } catch (thrown) {
        // It has just dropped: it hears of us when it is back.
        this.#log("could not announce the profile", thrown);
      }
    }
  }

  /** Ends the session with a client, here or not, and refuses it until admitted. */
  refuse(clientId: ClientId): void {
    this.#refusals.refuse(clientId);
    this.#stay?.refuse(clientId);
  }

  /** Takes {@link refuse} back. */
  admit(clientId: ClientId): void {
    this.#refusals.admit(clientId);
    this.#stay?.admit(clientId);
  }

  /** A person lets a client in that `approval-needed` spoke of: good for one more wrong password. */
  async letIn(clientId: ClientId): Promise<void> {
    (await this.#machinery)?.security.letIn(clientId);
    this.#stay?.letIn(clientId);
  }

  /** Tries at once to reach a peer that is not connected. @throws WarrenError `no-session` or `session-closed`. */
  retryConnection(peerId: ClientId): void {
    this.#stayOr(peerId).session(peerId).retry();
  }

  /** @throws WarrenError `no-session`, `channel-not-open` or `no-available-channel`. */
  openTransferChannel(
    peerId: ClientId,
    label: string,
    options: { readonly ordered: boolean },
  ): RTCDataChannel {
    return this.#stayOr(peerId).session(peerId).openTransferChannel(label, options);
  }

  /** What tracks for a peer are put on, from `peer-ready` to `peer-lost`; null otherwise. */
  mediaOf(peerId: ClientId): RTCPeerConnection | null {
    return this.#stay?.find(peerId)?.media ?? null;
  }

  /** A peer broke the protocol in what only the call understands; it counts as every other breach. */
  reportViolation(peerId: ClientId, issue: string): void {
    this.#stay?.find(peerId)?.reportViolation(issue);
  }

  /** The statistics of the connection to a peer, or null where there is none. */
  async getStats(peerId: ClientId): Promise<RTCStatsReport | null> {
    return (await this.#stay?.find(peerId)?.getStats()) ?? null;
  }

  /** Leaves and forgets every listener. */
  close(): void {
    this.leave();
    for (const stop of this.#stopListening) stop();
    this.#events.clear();
  }

  /** Fetched once; after a failure the next join tries again. */
  #loadMachinery(): Promise<RoomMachinery> {
    const load = async (): Promise<RoomMachinery> => {
      const { security, cleanPicture = async () => null, random = Math.random } = this.#deps;
      const [{ RoomMachinery: Machinery }, secured] = await Promise.all([
        import("./room-machinery.ts"),
        security(),
      ]);
      secured.onApprovalNeeded((clientId) => this.#events.emit("approval-needed", clientId));
      const refusals = this.#refusals;
      const ownProfile = () => this.#ownProfile();
      return new Machinery({ ...this.#deps, security: secured, refusals, cleanPicture, random, ownProfile });
    };
    this.#machinery ??= load().catch((thrown: unknown) => {
      this.#machinery = null;
      throw thrown;
    });
    return this.#machinery;
  }

  #follow(stay: RoomStay, client: SignallingClient, hasPassword: boolean): void {
    stay.events.on("peer", (peer) => {
      this.#update((state) => withPeer(state, peer));
      if (hasPassword) this.#leaveWhenRefused(client.self.order, peer);
      this.#leaveWhenAlone();
    });
    stay.events.on("peer-ready", (clientId) => this.#events.emit("peer-ready", clientId));
    stay.events.on("peer-lost", (clientId) => this.#events.emit("peer-lost", clientId));
    stay.events.on("peer-silent", (clientId) => this.#events.emit("peer-silent", clientId));
    stay.events.on("peer-heard", (clientId) => this.#events.emit("peer-heard", clientId));
    stay.events.on("peer-left", (clientId) => {
      this.#update((state) => withoutPeer(state, clientId));
      this.#events.emit("peer-left", clientId);
      this.#leaveWhenAlone();
    });
    stay.events.on("message", (from, message) => this.#events.emit("message", from, message));
    stay.events.on("picture", (...news) => this.#events.emit("picture", ...news));
    stay.events.on("transfer-channel", (...news) => this.#events.emit("transfer-channel", ...news));
    stay.events.on("lanes", (...news) => this.#events.emit("lanes", ...news));
    stay.events.on("signalling", (status) => this.#noteSignalling(stay, status));
  }

  #noteSignalling(stay: RoomStay, status: SignallingClientStatus): void {
    const state = this.#store.getState();
    const wasAway = state.status === "connected" && state.signalling !== "online";
    this.#update((current) =>
      withSignalling(current, status.status === "online" ? "online" : "reconnecting"),
    );
    if (status.status === "closed") {
      this.#signallingError = status.error;
      this.#leaveWhenAlone();
    } else if (status.status === "online" && wasAway) stay.resume();
  }

  /** Without signalling no session comes back once it drops; when the last one has, there is no room any more. */
  #leaveWhenAlone(): void {
    if (this.#signallingError !== null && this.#stay?.connectedPeers().length === 0)
      this.#leave(this.#signallingError);
  }

  /**
   * Those who were here first have another password than ours: this is not our room. A later comer's is its own affair.
   * Where we have none, anybody in the room could drive us out with a wrong tag, so only the run with them ends.
   */
  #leaveWhenRefused(ownOrder: number, { order, error }: RoomPeer): void {
    const refused = error?.code === "incorrect-password" && order < ownOrder;
    if (refused && this.#stay?.connectedPeers().length === 0)
      this.#leave(new WarrenError("incorrect-password"));
  }

  #leave(error: WarrenError | null): void {
    if (this.#store.getState().status === "disconnected") return;
    this.#joining?.abort();
    this.#joining = null;
    this.#signallingError = null;
    const stay = this.#stay;
    this.#stay = null;
    stay?.close();
    this.#store.setState(disconnected(error), true);
  }

  #update(change: (state: RoomState) => RoomState): void {
    const state = this.#store.getState();
    const next = change(state);
    if (next !== state) this.#store.setState(next, true);
  }

  #stayOr(peerId: ClientId): RoomStay {
    if (this.#stay === null) throw new WarrenError("no-session", { id: peerId });
    return this.#stay;
  }

  #ownProfile(): Pick<PeerMessageOf<"profile">, "type" | "name" | "avatar"> {
    const { name, avatar } = this.#deps.profile();
    // Others are told no address of a picture: fetching it would show theirs to its host.
    const sendable = avatar?.startsWith("data:image/") === true && utf8Length(avatar) <= limits.avatarBytes;
    return { type: "profile", name, avatar: sendable ? avatar : null };
  }

  #log(message: string, thrown: unknown): void {
    (this.#deps.log ?? silentLog).debug(message, { code: toWarrenError(thrown).code });
  }
}
