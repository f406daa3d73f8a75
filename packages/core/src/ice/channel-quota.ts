import { transferChannelProtocol, WarrenError } from "@warren/protocol";

const maxOpenChannels = 64;
/** Each side may open half of them, so that both together never exceed the limit. */
const maxOwnChannels = maxOpenChannels / 2;

/** Opens and admits the file channels of one connection, up to a limit. */
export class ChannelQuota {
  readonly #connection: RTCPeerConnection;
  readonly #own = new Set<RTCDataChannel>();
  readonly #others = new Set<RTCDataChannel>();

  constructor(connection: RTCPeerConnection) {
    this.#connection = connection;
  }

  /** @throws WarrenError `no-available-channel` at the limit of open channels, `channel-not-open` on a closed connection. */
  open(label: string, options: { readonly ordered: boolean }): RTCDataChannel {
    if (openIn(this.#own) >= maxOwnChannels) throw new WarrenError("no-available-channel");
    try {
      const { ordered } = options;
      return add(
        this.#own,
        this.#connection.createDataChannel(label, { ordered, protocol: transferChannelProtocol }),
      );
    } catch (cause) {
      throw new WarrenError("channel-not-open", {}, { cause });
    }
  }

  /** Accepts a channel of the peer. @returns false, after closing it, at the limit. */
  take(channel: RTCDataChannel): boolean {
    if (openIn(this.#own) + openIn(this.#others) >= maxOpenChannels) {
      channel.close();
      return false;
    }
    add(this.#others, channel);
    return true;
  }
}

function add(channels: Set<RTCDataChannel>, channel: RTCDataChannel): RTCDataChannel {
  channel.binaryType = "arraybuffer";
  channels.add(channel);
  return channel;
}

/** Counted on demand, without listeners: a channel that was transferred to a worker fires no events here. */
function openIn(channels: Set<RTCDataChannel>): number {
  for (const channel of channels) if (channel.readyState === "closed") channels.delete(channel);
  return channels.size;
}
