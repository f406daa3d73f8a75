import {
  type ClientId,
  contentSizeOf,
  type LaneId,
  limits,
  type PeerMessage,
  type PeerMessageOf,
  type Signal,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { Emitter } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { Lane, type LaneDeps, type LaneEvents } from "./lane.ts";
import { LaneKeeper } from "./lane-keeper.ts";
import { LaneMeter } from "./lane-meter.ts";
import { isShort, type LaneSample } from "./lane-policy.ts";
import type { LanePool } from "./lane-pool.ts";
import { OfferBudget } from "./offer-budget.ts";
import type { TransferLane } from "./transfer-lane.ts";

/** From this size on, lanes are opened before the peer has accepted the file. */
const largeBytes = 16 * 1024 * 1024;
/** Our own limit when lanes keep failing. */
const ownOffersPerMinute = 24;

/** A lane's messages without envelope. */
export type LaneBody =
  | Pick<PeerMessageOf<"lane-signal">, "type" | "lane" | "signal">
  | Pick<PeerMessageOf<"lane-close">, "type" | "lane">;

/** Events of a connection's lanes. */
export type LanesEvents = LaneEvents & {
  /** The set of lanes that accept channels changed. */
  lanes: [];
};

export interface LanesDeps extends Pick<LaneDeps, "createConnection" | "peerId"> {
  readonly peerId: ClientId;
  readonly clock: Clock;
  /** Shared by all sessions of the page. */
  readonly lanePool: LanePool;
  /** Of the peer, over all its connections. */
  readonly budgets: { readonly laneOffers: OfferBudget };
  /** The certificate that the handshake bound the peer to; read once the session has proven itself. */
  readonly remoteFingerprint: () => Uint8Array | null;
  /** The statistics of the session's own connection. */
  readonly getStats: () => Promise<RTCStatsReport>;
  /** Sends a message on the session's channel; it is lost if the channel has just closed. */
  readonly send: (body: LaneBody) => void;
  /** The emitter of the connection. */
  readonly events: Emitter<LanesEvents>;
}

/** The additional connections of a session, only for file data: opened where one connection's window is the limit. */
export class Lanes {
  readonly #deps: LanesDeps;
  readonly #lanes = new Map<LaneId, Lane>();
  readonly #meter = new LaneMeter();
  readonly #keeper: LaneKeeper;
  #open: readonly Lane[] = [];
  readonly #ownOffers: OfferBudget;

  constructor(deps: LanesDeps) {
    this.#deps = deps;
    this.#ownOffers = new OfferBudget(deps.clock, ownOffersPerMinute);
    this.#keeper = new LaneKeeper({
      clock: deps.clock,
      measure: () => this.#measure(),
    });
    this.#keeper.on("wanted", (connections) => this.#adjust(connections - 1));
    deps.events.on("lane", (lane) => this.#noteChange(lane));
  }

  /** The lanes that accept channels. */
  get open(): readonly TransferLane[] {
    return this.#open;
  }

  /** A file channel was opened: starts measuring whether more connections would increase the throughput. */
  wake(): void {
    this.#keeper.wake();
  }

  /** We sent a message; the offer of a large file over a short path opens lanes in advance. */
  noteSent(message: PeerMessage, roundTripMs: number | null): void {
    if (message.type === "send-file" && contentSizeOf(message) >= largeBytes && isShort(roundTripMs))
      this.#keeper.wakeAhead();
  }

  /** @returns whether this was a lane message, which is now handled. */
  take(message: PeerMessage): boolean {
    if (message.type === "lane-signal") this.#receive(message.lane, message.signal);
    else if (message.type === "lane-close") this.#lanes.get(message.lane)?.end();
    else return false;
    return true;
  }

  close(): void {
    this.#keeper.close();
    for (const lane of [...this.#lanes.values()]) lane.close();
  }

  #receive(id: LaneId, signal: Signal): void {
    const known = this.#lanes.get(id);
    if (known !== undefined) known.receive(signal);
    else if (signal.type === "offer") this.#accept(id, signal);
    // Any other signal belongs to a lane that has just ended.
  }

  #accept(id: LaneId, offer: Signal): void {
    const { budgets, send } = this.#deps;
    if (this.#used().length < limits.lanes && budgets.laneOffers.take()) this.#add(id, false).receive(offer);
    else send({ type: "lane-close", lane: id });
  }

  #add(id: LaneId, isOwn: boolean): Lane {
    const { remoteFingerprint, send, ...options } = this.#deps;
    const lane = new Lane({
      ...options,
      id,
      isOwn,
      remoteFingerprint: remoteFingerprint(),
      send: (signal) => send({ type: "lane-signal", lane: id, signal }),
    });
    this.#lanes.set(id, lane);
    lane.start();
    return lane;
  }

  #noteChange(lane: Lane): void {
    if (lane.state === "closed" && this.#lanes.delete(lane.id) && lane.isOwn) this.#deps.lanePool.release();
    const open = [...this.#lanes.values()].filter(({ state }) => state === "open");
    const hasChanged =
      open.length !== this.#open.length || open.some((one, index) => one !== this.#open[index]);
    this.#open = open;
    if (hasChanged) this.#deps.events.emit("lanes");
  }

  /** Opens or ends our own lanes to reach `count`; the peer manages its own. */
  #adjust(count: number): void {
    const used = this.#used();
    const free = limits.lanes - used.length;
    for (let n = Math.min(free, count - used.length); n > 0; n--) this.#openOwn();
    const spare = used.filter(({ isOwn }) => isOwn).reverse();
    for (const lane of spare.slice(0, Math.max(0, used.length - count))) {
      this.#deps.send({ type: "lane-close", lane: lane.id });
      lane.end();
    }
  }

  /** The lanes in use, without those that are only draining. */
  #used(): Lane[] {
    return [...this.#lanes.values()].filter(({ state }) => state === "opening" || state === "open");
  }

  #openOwn(): void {
    const { lanePool } = this.#deps;
    if (!lanePool.take()) return;
    if (this.#ownOffers.take()) this.#add(randomUuid(), true);
    else lanePool.release();
  }

  async #measure(): Promise<LaneSample | null> {
    const open = this.#open;
    const [session, ...reports] = await Promise.all([
      this.#deps.getStats(),
      ...open.map((lane) => lane.getStats()),
    ]);
    const lanes = new Map<string, RTCStatsReport>();
    for (const [index, { id }] of open.entries()) {
      const report = reports[index];
      if (report) lanes.set(id, report);
    }
    return this.#meter.sample(this.#deps.clock.elapsedMs(), session, lanes);
  }
}
