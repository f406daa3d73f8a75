import { type ChunkEncoding, type ChunkRanges, indexesOf } from "@warren/protocol";

interface Unconfirmed {
  readonly encoding: ChunkEncoding;
  /** The channels that have carried blocks of it. */
  readonly channels: Set<object>;
}

/** The chunks that were sent and not yet confirmed, and what each went over. */
export class UnconfirmedChunks {
  readonly #chunks = new Map<number, Unconfirmed>();
  readonly #lost = new WeakSet<object>();

  /** Notes that a block of a chunk was handed to a channel. @returns false when that channel has been lost since. */
  note(chunk: number, encoding: ChunkEncoding, channel: object): boolean {
    const known = this.#chunks.get(chunk);
    if (known) known.channels.add(channel);
    else this.#chunks.set(chunk, { encoding, channels: new Set([channel]) });
    return !this.#lost.has(channel);
  }

  /** The receiver has these chunks. */
  confirm(ranges: ChunkRanges): void {
    for (const chunk of indexesOf(ranges)) this.#chunks.delete(chunk);
  }

  /** How a chunk was sent before; undefined where it was not, or is confirmed. */
  encodingOf(chunk: number): ChunkEncoding | undefined {
    return this.#chunks.get(chunk)?.encoding;
  }

  /** The chunks of which something went over a channel that is lost. */
  lostWith(channel: object): number[] {
    this.#lost.add(channel);
    const lost: number[] = [];
    for (const [chunk, { channels }] of this.#chunks) if (channels.delete(channel)) lost.push(chunk);
    return lost;
  }
}
