import {
  type ClientId,
  canRead,
  type PeerMessage,
  type SourceKind,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { VideoCodecs } from "../ports/video-codecs.ts";
import type { RoomService } from "../room/room-service.ts";
import { Lazy } from "../shared/lazy.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import type { Call } from "./call.ts";
import type { Ceilings } from "./call-policy.ts";
import { isTakingPart } from "./call-state.ts";
import { type PastCall, Ringing } from "./ringing.ts";

/** The dependencies of a room's call. */
export interface RoomCallDeps {
  readonly room: RoomService;
  readonly environment: Environment;
  readonly clock: Clock;
  /** The video codecs of the browser; if absent, the browser chooses. */
  readonly videoCodecs?: (() => Promise<VideoCodecs>) | undefined;
  readonly ceilings: () => Ceilings;
  /** {@link RoomCall.filePaceTo} has changed. */
  readonly filePaceChanged: (peerId: ClientId) => void;
  /** A call that we were in, or were called to, is over. */
  readonly callOver: (call: PastCall) => void;
  readonly log?: Log;
}

/**
 * The call of the current membership. Its code is loaded when a member first shares a source, announced or not.
 */
export class RoomCall {
  readonly store: ReadableStore<Call | null>;
  readonly ringing: Ringing;
  readonly #store: WritableStore<Call | null> = createStore<Call | null>(null);
  readonly #deps: RoomCallDeps;
  /** New for each membership. */
  #lazy: Lazy<Call>;
  readonly #stopListening: readonly (() => void)[];
  /** The last start of devices; leaving ends it, so that none starts after it. */
  #start: object | null = null;
  /** Whether the call with everyone that goes on was told of already, as one that was not joined. */
  #isTold = false;

  constructor(deps: RoomCallDeps) {
    this.store = this.#store;
    this.#deps = deps;
    this.#lazy = this.#nextCall();
    const { room, environment, clock } = deps;
    this.ringing = new Ringing({
      clock,
      rings: (peerId) => canRead("ring", room.peer(peerId)?.profile),
      send: (to, message) => room.send(to, message),
    });
    this.#stopListening = [
      this.ringing.store.subscribe((state, before) => {
        if (state.incoming !== before.incoming) this.#call?.callersChanged();
        if (state.incoming.some((ring) => ring.toRoom && !before.incoming.includes(ring)))
          this.#isTold = false;
      }),
      this.ringing.on("over", (past) => {
        if (past.other === null && past.outcome === "unanswered" && this.#isWithEveryone) return;
        if (past.other === null) this.#isTold = true;
        deps.callOver(past);
      }),
      room.on("message", (from, message) => this.#receive(from, message)),
      room.on("peer-ready", (peerId) => {
        this.ringing.peerReady(peerId);
        if (this.#call) this.#call.peerReady(peerId);
        else this.#openOnTrack(peerId);
      }),
      room.on("peer-lost", (peerId) => this.#call?.peerLost(peerId)),
      room.on("peer-left", (peerId) => {
        this.ringing.peerLeft(peerId);
        this.#call?.peerLeft(peerId);
      }),
      room.store.subscribe(({ status }) => {
        if (status !== "connected") this.#end();
      }),
      // Browsers are slow to release the devices of a page that they close.
      environment.on("gone", () => this.#end()),
    ];
  }

  /** The call, its code loaded. Rejects with `connection-closed` outside of a room. */
  open(): Promise<Call> {
    return this.#lazy.load();
  }

  /**
   * Begins to start devices.
   * @returns whether they are still wanted: the call was not left meanwhile, and no other start begun
   */
  beginStart(): () => boolean {
    const start = {};
    this.#start = start;
    return () => this.#start === start;
  }

  /** Ends our part: nothing is shared, heard or seen any more, nobody is called, and no device starts any more. */
  leave(): void {
    this.#start = null;
    this.ringing.hangUp();
    this.#call?.leave();
  }

  /** Whether we call somebody or take part in a call: share something, or agreed to hear or see what others share. */
  get isOngoing(): boolean {
    const { outgoing, partner } = this.ringing.store.getState();
    if (outgoing !== null || partner !== null) return true;
    const state = this.#call?.store.getState();
    return state !== undefined && isTakingPart(state);
  }

  /** The limit for files to a peer, in bytes per second; null for none. */
  filePaceTo(peerId: ClientId): number | null {
    return this.#call?.filePaceTo(peerId) ?? null;
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#end();
  }

  get #call(): Call | null {
    return this.#store.getState();
  }

  #nextCall(): Lazy<Call> {
    const { room, clock, videoCodecs, ceilings, filePaceChanged } = this.#deps;
    const lazy: Lazy<Call> = new Lazy(clock, async () => {
      const [{ Call, codecPreferences }, abilities] = await Promise.all([
        import("./call.ts"),
        videoCodecs?.(),
      ]);
      const codecs = abilities ? await codecPreferences(abilities) : [];
      return () => {
        // The room may have been left meanwhile.
        if (lazy !== this.#lazy || room.store.getState().status !== "connected")
          throw new WarrenError("connection-closed");
        const call = new Call({
          ...{ clock, codecs, ceilings },
          mediaOf: (peerId) => room.mediaOf(peerId),
          ringing: this.ringing,
          send: (to, message) => room.send(to, message),
        });
        call.on("violation", (peerId, issue) => room.reportViolation(peerId, issue));
        call.on("pace", filePaceChanged);
        this.#store.setState(call, true);
        this.#tellOnceOver(call);
        for (const peerId of room.readyPeers()) call.peerReady(peerId);
        return call;
      };
    });
    return lazy;
  }

  /** One that still rings for us may have been joined where it is offered. */
  get #isWithEveryone(): boolean {
    const state = this.#call?.store.getState();
    return state !== undefined && state.audience === null && state.sinceMs !== null;
  }

  /** Tells of calls with everyone, which need not have rung, once we have left. Whoever watches a screen is in no call. */
  #tellOnceOver(call: Call): void {
    let kinds: ReadonlySet<SourceKind> = new Set();
    call.store.subscribe(({ audience, sinceMs, local, remote }, before) => {
      if (audience === null && sinceMs !== null)
        kinds = new Set([...kinds, ...[...local, ...remote].map(({ kind }) => kind)]);
      const isEmpty = local.length + remote.length === 0;
      if (isEmpty && before.sinceMs === null && before.local.length + before.remote.length > 0)
        this.#isTold = false;
      if (sinceMs !== null || before.sinceMs === null) return;
      const video = kinds.has("camera");
      const isCall = video || kinds.has("microphone");
      kinds = new Set();
      if (!isCall) return;
      const isJoinedLate = this.#isTold;
      this.#isTold = false;
      // The clock may have been set back meanwhile.
      const durationMs = Math.max(0, this.#deps.clock.now() - before.sinceMs);
      this.#deps.callOver({ caller: null, other: null, video, outcome: "ended", durationMs, isJoinedLate });
    });
  }

  #receive(from: ClientId, message: PeerMessage): void {
    if (this.#deps.room.isNearby) return; // which has no call
    if (message.type === "view-sizes") this.#call?.receive(from, message);
    else if (message.type === "media-sources") this.#openFor((call) => call.receive(from, message));
    else if (message.type === "ring" || message.type === "ring-answer" || message.type === "ring-end")
      this.ringing.receive(from, message);
  }

  /** An unannounced track needs the call too, which turns it off. */
  #openOnTrack(peerId: ClientId): void {
    const connection = this.#deps.room.isNearby ? null : this.#deps.room.mediaOf(peerId);
    const open = () => this.#openFor(() => {});
    connection?.addEventListener("track", open, { once: true });
    if (connection && connection.getTransceivers().length > 0) open();
  }

  #openFor(use: (call: Call) => void): void {
    this.open().then(use, (thrown: unknown) =>
      (this.#deps.log ?? silentLog).warn("the call did not begin", { code: toWarrenError(thrown).code }),
    );
  }

  #end(): void {
    this.#start = null;
    this.#lazy = this.#nextCall();
    this.ringing.close();
    const call = this.#call;
    this.#store.setState(null, true);
    call?.close();
  }
}
