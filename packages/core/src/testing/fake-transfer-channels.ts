import { type ClientId, WarrenError } from "@warren/protocol";
import { Emitter, type EventSource } from "../shared/emitter.ts";
import type { TransferChannelEvents, TransferChannels } from "../transfer/transfer-channels.ts";
import { createFakeChannelPair, type FakeChannelOptions, type FakeChannelPair } from "./fake-data-channel.ts";

type OpenChannel = (label: string, ordered: boolean) => RTCDataChannel;

/** One client's end of a {@link FakeLink}. */
export class FakeTransferChannels implements TransferChannels {
  readonly #events = new Emitter<TransferChannelEvents>();
  readonly #openPair: OpenChannel;

  constructor(openPair: OpenChannel) {
    this.#openPair = openPair;
  }

  get on(): EventSource<TransferChannelEvents>["on"] {
    return this.#events.on.bind(this.#events);
  }

  open(_peerId: ClientId, label: string, { ordered }: { readonly ordered: boolean }): RTCDataChannel {
    return this.#openPair(label, ordered);
  }

  arrive(from: ClientId, channel: RTCDataChannel): void {
    this.#events.emit("transfer-channel", from, channel);
  }
}

/** Two clients' transfer channels, joined in memory. */
export class FakeLink {
  readonly a: FakeTransferChannels;
  readonly b: FakeTransferChannels;
  /** Every pair opened so far. */
  readonly pairs: FakeChannelPair[] = [];
  /** How channels opened from now on behave. */
  channelOptions: FakeChannelOptions = {};
  /** While false, opening fails as it does without a connection. */
  connected = true;

  constructor(aId: ClientId, bId: ClientId) {
    this.a = new FakeTransferChannels(this.#opener(bId, (channel) => this.b.arrive(aId, channel)));
    this.b = new FakeTransferChannels(this.#opener(aId, (channel) => this.a.arrive(bId, channel)));
  }

  /** Breaks the connection: all channels close and lose what they carried. */
  cut(): void {
    for (const pair of this.pairs) pair.cut();
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
