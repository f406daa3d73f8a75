import { type Block, type ChunkEncoding, limits, WarrenError } from "@warren/protocol";
import { chunkLengthOf } from "../../files/file-layout.ts";
import type { Bytes } from "../../ports/file-storage.ts";
import { freeMemory } from "../../shared/free-memory.ts";

/** A complete chunk in its transmitted encoding. */
export interface AssembledChunk {
  readonly chunk: number;
  readonly bytes: Bytes;
  readonly encoding: ChunkEncoding;
  /** The chunk digest sent with it, if any. */
  readonly digest: Uint8Array | null;
}

/** The outcome of adding a block. */
export type BlockOutcome =
  | { readonly kind: "open" }
  | { readonly kind: "duplicate" }
  /** Too many chunks are open; this one has to be requested again. */
  | { readonly kind: "refused" }
  /** The block contradicts its chunk; the whole chunk was dropped and has to be requested again. */
  | { readonly kind: "dropped"; readonly error: WarrenError }
  | { readonly kind: "chunk"; readonly chunk: AssembledChunk };

/** The most partially received chunks. */
export const openChunkLimit = 32;

interface OpenChunk {
  readonly blocks: Map<number, Uint8Array>;
  readonly encoding: ChunkEncoding;
  readonly lengthLimit: number;
  highest: number;
  last: number | null;
  digest: Uint8Array | null;
  bytes: number;
}

/**
 * Reassembles chunks from blocks that arrive in any order, possibly repeatedly, within a memory limit. The bytes of blocks are its
 * own from then on: it frees them with their chunk.
 */
export class BlockAssembler {
  readonly #file: { readonly fileSize: number; readonly chunkSize: number };
  readonly #blockLimit: number;
  readonly #open = new Map<number, OpenChunk>();

  constructor(file: { readonly fileSize: number; readonly chunkSize: number }) {
    this.#file = file;
    this.#blockLimit = Math.ceil((1.01 * file.chunkSize) / limits.blockSizeMin) + 1;
  }

  /** The number of partially received chunks. */
  get openCount(): number {
    return this.#open.size;
  }

  isOpen(chunk: number): boolean {
    return this.#open.has(chunk);
  }

  /** Adds a block. Its chunk index has to be within the file. */
  add(block: Block): BlockOutcome {
    const known = this.#open.get(block.chunk);
    if (!known && this.#open.size >= openChunkLimit) return { kind: "refused" };
    if (known?.blocks.has(block.block)) return { kind: "duplicate" };
    const open = known ?? this.#begin(block);
    const issue = this.#issueOf(block, open);
    if (issue) {
      this.drop(block.chunk);
      return { kind: "dropped", error: new WarrenError("block-invalid", { issue }) };
    }
    this.#hold(block, open);
    return open.last !== null && open.blocks.size === open.last + 1
      ? this.#finish(block.chunk, open)
      : { kind: "open" };
  }

  /** Drops the blocks of a partial chunk. */
  drop(chunk: number): void {
    this.#open.delete(chunk);
  }

  /** Drops all partial chunks. */
  clear(): void {
    this.#open.clear();
  }

  #begin({ chunk, encoding }: Block): OpenChunk {
    const length = chunkLengthOf(this.#file, chunk);
    const open: OpenChunk = {
      blocks: new Map(),
      encoding,
      // A sender compresses a chunk only if that makes it smaller.
      lengthLimit: encoding === "plain" ? length : length - 1,
      highest: -1,
      last: null,
      digest: null,
      bytes: 0,
    };
    this.#open.set(chunk, open);
    return open;
  }

  #issueOf({ block, last, encoding, data }: Block, open: OpenChunk): string | null {
    if (block >= this.#blockLimit) return "block out of range";
    if (data.byteLength > limits.blockSizeMax) return "block too large";
    if (encoding !== open.encoding) return "two encodings in one chunk";
    if (last && open.last !== null) return "two last blocks";
    if (last ? block < open.highest : open.last !== null && block > open.last)
      return "a block behind the last";
    if (open.bytes + data.byteLength > open.lengthLimit) return "more bytes than the chunk has";
    return null;
  }

  #hold({ block, last, data, digest }: Block, open: OpenChunk): void {
    open.blocks.set(block, data);
    open.bytes += data.byteLength;
    open.highest = Math.max(open.highest, block);
    if (!last) return;
    open.last = block;
    open.digest = digest;
  }

  #finish(chunk: number, open: OpenChunk): BlockOutcome {
    this.drop(chunk);
    const { encoding, blocks, bytes, lengthLimit } = open;
    if (encoding === "plain" && bytes !== lengthLimit) {
      const error = new WarrenError("block-invalid", { issue: "fewer bytes than the chunk has" });
      return { kind: "dropped", error };
    }
    const digest = open.digest && new Uint8Array(open.digest);
    const joined = joinBlocks(blocks, bytes);
    freeMemory(...blocks.values());
    return { kind: "chunk", chunk: { chunk, bytes: joined, encoding, digest } };
  }
}

/**
 * Concatenates the blocks of a chunk in order.
 * @throws WarrenError `missing-block` when an index is missing.
 */
export function joinBlocks(blocks: ReadonlyMap<number, Uint8Array>, totalBytes: number): Bytes {
  const joined = new Uint8Array(totalBytes);
  let offset = 0;
  for (let index = 0; index < blocks.size; index++) {
    const block = blocks.get(index);
    if (!block) throw new WarrenError("missing-block", { block: index });
    joined.set(block, offset);
    offset += block.byteLength;
  }
  return joined;
}
