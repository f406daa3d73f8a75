import { type ClientId, WarrenError } from "@warren/protocol";
import type { TransferLane } from "../lanes/transfer-lane.ts";
import { Emitting } from "../shared/emitter.ts";
import type { TransferChannelEvents, TransferChannels } from "../transfer/transfer-channels.ts";
import { createFakeChannelPair, type FakeChannelOptions, type FakeChannelPair } from "./fake-data-channel.ts";

type OpenChannel = (label: string, ordered: boolean) => RTCDataChannel;

/** One client's end of a {@link FakeLink}. */
export class FakeTransferChannels extends Emitting<TransferChannelEvents> implements TransferChannels {
  readonly #openPair: OpenChannel;
  #lanes: readonly TransferLane[] = [];

  constructor(openPair: OpenChannel) {
    super();
    this.#openPair = openPair;
  }

  open(_peerId: ClientId, label: string, { ordered }: { readonly ordered: boolean }): RTCDataChannel {
    return this.#openPair(label, ordered);
  }

  lanesTo(): readonly TransferLane[] {
    return this.#lanes;
  }

  reportLanes(to: ClientId, open: readonly TransferLane[]): void {
    this.#lanes = open;
    this.emit("lanes", to);
  }

  arrive(from: ClientId, channel: RTCDataChannel): void {
    this.emit("transfer-channel", from, channel);
  }
}

/** An in-memory lane with controllable failures. */
export interface FakeLane extends TransferLane {
  isLost: boolean;
  readonly pairs: readonly FakeChannelPair[];
  /** Accepts no more channels, and delivers queued messages. */
  end(): void;
  /** Its connection is gone, with its data in flight. */
  lose(): void;
}

/** The transfer channels of two clients, connected in memory. */
export class FakeLink {
  readonly a: FakeTransferChannels;
  readonly b: FakeTransferChannels;
  /** Every pair opened so far. */
  readonly pairs: FakeChannelPair[] = [];
  /** The behaviour of channels opened from now on. */
  channelOptions: FakeChannelOptions = {};
  /** While false, opening fails as it does without a connection. */
  connected = true;
  readonly #bId: ClientId;
  #lanes: FakeLane[] = [];

  constructor(aId: ClientId, bId: ClientId) {
    this.#bId = bId;
    this.a = new FakeTransferChannels(this.#opener(bId, (channel) => this.b.arrive(aId, channel)));
    this.b = new FakeTransferChannels(this.#opener(aId, (channel) => this.a.arrive(bId, channel)));
  }

  /** Breaks the connection: all channels close and lose their data in flight. */
  cut(): void {
    for (const pair of this.pairs) pair.cut();
  }

  /**
   * Opens a lane for data sent by `a`. @param options the behaviour of its channels, where it differs from the others.
   */
  openLane(id: string, options: FakeChannelOptions = {}): FakeLane {
    const pairs: FakeChannelPair[] = [];
    const open = (label: string, ordered: boolean) => {
      const usual = this.channelOptions;
      this.channelOptions = { ...usual, ...options };
      const channel = this.a.open(this.#bId, label, { ordered });
      this.channelOptions = usual;
      pairs.push(...this.pairs.slice(-1));
      return channel;
    };
    const leave = (isLost: boolean) => {
      lane.isLost = isLost;
      this.#reportLanes(this.#lanes.filter((other) => other !== lane));
      if (isLost) for (const pair of pairs) pair.cut();
    };
    const lane: FakeLane = {
      id,
      pairs,
      isLost: false,
      openTransferChannel: (label, { ordered }) => open(label, ordered),
      end: () => leave(false),
      lose: () => leave(true),
    };
    this.#reportLanes([...this.#lanes, lane]);
    return lane;
  }

  #reportLanes(lanes: FakeLane[]): void {
    this.#lanes = lanes;
    this.a.reportLanes(this.#bId, lanes);
  }

  #opener(to: ClientId, arrive: (channel: RTCDataChannel) => void): OpenChannel {
    return (label, ordered) => {
      if (!this.connected) throw new WarrenError("no-session", { id: to });
      const pair = createFakeChannelPair({ ...this.channelOptions, label, ordered });
      this.pairs.push(pair);
      arrive(pair.remote);
      return pair.local;
    };
  }
}
