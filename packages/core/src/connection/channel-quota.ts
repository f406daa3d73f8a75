import { transferChannelProtocol, WarrenError } from "@warren/protocol";

const maxOpenChannels = 64;
/** Each side may open half of them, so that both at once never open more than the other takes. */
const maxOwnChannels = maxOpenChannels / 2;

/** Opens and admits the channels for files on one connection, up to a limit. */
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

  /** Takes a channel of the other side. @returns false, and closes it, at the limit. */
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

/** Counted when needed, without listeners: a channel that was handed to a worker fires no events here. */
function openIn(channels: Set<RTCDataChannel>): number {
  for (const channel of channels) if (channel.readyState === "closed") channels.delete(channel);
  return channels.size;
}
