import { transferChannelProtocol, WarrenError } from "@warren/protocol";

/** Eight transfers of eight channels each. */
const maxOpenChannels = 64;

/** The channels for files on one connection, of both sides. */
export class TransferChannels {
  readonly #connection: RTCPeerConnection;
  readonly #channels = new Set<RTCDataChannel>();

  constructor(connection: RTCPeerConnection) {
    this.#connection = connection;
  }

  /** @throws WarrenError `no-available-channel` at the limit of open channels, `channel-not-open` on a closed connection. */
  open(label: string, options: { readonly ordered: boolean }): RTCDataChannel {
    if (this.#isFull()) throw new WarrenError("no-available-channel");
    try {
      const { ordered } = options;
      return this.#add(
        this.#connection.createDataChannel(label, { ordered, protocol: transferChannelProtocol }),
      );
    } catch (cause) {
      throw new WarrenError("channel-not-open", {}, { cause });
    }
  }

  /** Takes a channel of the other side. @returns false, and closes it, at the limit. */
  take(channel: RTCDataChannel): boolean {
    if (this.#isFull()) {
      channel.close();
      return false;
    }
    this.#add(channel);
    return true;
  }

  #add(channel: RTCDataChannel): RTCDataChannel {
    channel.binaryType = "arraybuffer";
    this.#channels.add(channel);
    return channel;
  }

  #isFull(): boolean {
    // Counted when needed, without listeners: a channel that was handed to a worker fires no events here.
    for (const channel of this.#channels) if (channel.readyState === "closed") this.#channels.delete(channel);
    return this.#channels.size >= maxOpenChannels;
  }
}
