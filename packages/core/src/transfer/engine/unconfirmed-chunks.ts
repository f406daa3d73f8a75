import { type ChunkEncoding, type ChunkRanges, indexesOf } from "@warren/protocol";

interface Unconfirmed {
  readonly encoding: ChunkEncoding;
  /** The channels that have carried its blocks. */
  readonly channels: Set<object>;
}

/** The chunks that were sent but not confirmed, and the channels each was sent on. */
export class UnconfirmedChunks {
  readonly #chunks = new Map<number, Unconfirmed>();
  readonly #lost = new WeakSet<object>();

  /** Records that a block of a chunk was queued on a channel. @returns false if that channel has been lost since. */
  add(chunk: number, encoding: ChunkEncoding, channel: object): boolean {
    const known = this.#chunks.get(chunk);
    if (known) known.channels.add(channel);
    else this.#chunks.set(chunk, { encoding, channels: new Set([channel]) });
    return !this.#lost.has(channel);
  }

  /** Removes confirmed chunks. */
  confirm(ranges: ChunkRanges): void {
    for (const chunk of indexesOf(ranges)) this.#chunks.delete(chunk);
  }

  /** The encoding a chunk was sent with; undefined if it was not sent, or is confirmed. */
  encodingOf(chunk: number): ChunkEncoding | undefined {
    return this.#chunks.get(chunk)?.encoding;
  }

  /** The chunks with blocks sent on a lost channel. */
  lostWith(channel: object): number[] {
    this.#lost.add(channel);
    const lost: number[] = [];
    for (const [chunk, { channels }] of this.#chunks) if (channels.delete(channel)) lost.push(chunk);
    return lost;
  }
}
