import {
  blockHeaderBytes,
  type ChunkRanges,
  chunkCountOf,
  chunkDigestBytes,
  countOf,
  type ErrorCode,
  encodeBlock,
  type FileDescription,
  fitsCount,
  indexesOf,
  type LaneId,
  TokenBucket,
  type TransferControl,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { ChunkSet } from "../../files/digests/chunk-set.ts";
import { chunkDigestOf, digestOf, rootOf, sameDigest } from "../../files/digests/digests.ts";
import { bytesOfChunks, chunkStartOf } from "../../files/file-layout.ts";
import type { FileSource } from "../../files/file-source.ts";
import { isUnchanged } from "../../files/unchanged.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Bytes } from "../../ports/file-storage.ts";
import { Emitting } from "../../shared/emitter.ts";
import { StallWatch } from "../../shared/stall-watch.ts";
import type { CompressionPolicy } from "../compression/compression-policy.ts";
import type { PackedChunk } from "../compression/compressor.ts";
import { heldPerFileBytes } from "../held-bytes.ts";
import type { ChannelGroup } from "./channel-group.ts";
import type { ChannelWriter } from "./channel-writer.ts";
import type { RunReport, TransferRun, TransferRunEvents } from "./transfer-engine.ts";
import { UnconfirmedChunks } from "./unconfirmed-chunks.ts";

/** The size of one read: fewer, larger reads cost less. */
const sliceBytes = 4 * 1024 * 1024;

/**
 * How many chunks a receiver may name in control frames, as multiples of the file's: an honest one repeats its request every 10 s
 * at most, on each of 15 channels, and confirms each chunk once. A frame counts as {@link chunksPerFrame} at least.
 */
const namedChunks = { burst: 32, perSecond: 4, least: 1_024 } as const;
const chunksPerFrame = 16;

/** The errors of a write when the channels are gone: these report their end themselves, and the reason may follow. */
const channelLosses: ReadonlySet<ErrorCode> = new Set([
  "any-channel-closed",
  "any-channel-error",
  "no-available-channel",
  "no-channel",
]);

export interface FileSenderDeps {
  readonly description: FileDescription;
  readonly source: FileSource;
  readonly compression: Pick<CompressionPolicy, "pack" | "threads">;
  /** The bytes of the file in one message. */
  readonly blockSizeBytes: number;
  readonly channels: ChannelGroup;
  /** Writes to all transfers of the receiving client. */
  readonly writer: Pick<ChannelWriter, "add" | "remove" | "write" | "setPace">;
  readonly clock: Clock;
}

interface Slice {
  readonly first: number;
  readonly last: number;
  readonly bytes: Bytes;
}

interface PreparedChunk extends PackedChunk {
  readonly chunk: number;
  readonly chunkDigest: Bytes;
  /** The slice of which it is the last chunk; null for the others. */
  readonly doneSlice: Bytes | null;
}

/**
 * Sends the chunks of one file that a receiver requests, over the channels added to it. `complete` is reported once the receiver
 * has the whole file and computed the same root. A file of which nothing was read before is sent from its start without waiting
 * for the first request, which saves a round trip: most receivers have nothing of it. One slice is read ahead and one chunk is
 * packed ahead, so disk, compression and network work concurrently, and about three slices are held at most, beside the buffers
 * that the source keeps for its next reads. While the last chunks
 * are sent, up to 4 MiB at a time are read again, to see whether the file has changed meanwhile.
 *
 * No more is on its way than the receiver may hold: what it has not stored waits in its memory, since a channel delivers as fast as the
 * network, however slow the disk.
 */
export class FileSender extends Emitting<TransferRunEvents> implements TransferRun {
  readonly #deps: FileSenderDeps;
  readonly #chunksPerSlice: number;
  /** The chunks of the next read. Reads start with one chunk and double, so that the first block is sent early. */
  #chunksToRead = 1;
  /** Requested chunks that are not read yet. */
  readonly #queue: ChunkSet;
  /** Chunks taken from the queue of which nothing was sent yet. */
  readonly #ahead: ChunkSet;
  /** Chunks the receiver has, or will have when the data in flight arrives. */
  readonly #sent: ChunkSet;
  /** Chunks the receiver has stored: those that its first request did not name, and {@link #confirmed}. All are in `#sent`. */
  readonly #stored: ChunkSet;
  readonly #unconfirmed = new UnconfirmedChunks();
  /** Chunks the receiver has confirmed, which it does not lose any more. */
  readonly #confirmed: ChunkSet;
  /** Ends the wait for confirmations. */
  #wake: () => void = () => {};
  /** What the receiver may name: reading a range costs time for each of its chunks, and a range of all has few bytes. */
  readonly #namedChunks: TokenBucket;
  #state: "idle" | "sending" | "ended" = "idle";
  #asked = false;
  /** Chunks that were sent, at least in part, before the first request, and that no request has named yet. */
  readonly #early: ChunkSet;
  /** Whether the receiver's last request listed zstd; pending before the first. */
  #readsZstd: boolean | Promise<boolean>;
  #settleReadsZstd: (readsZstd: boolean) => void = () => {};
  readonly #leaveSource: () => void;
  readonly #watch: StallWatch;
  /** Holds one message at a time: a channel copies its input. */
  readonly #message: ArrayBuffer;
  #root: string | null;
  /** Whether the file still matched its reads after the last of them; null until that is compared. */
  #unchanged: Promise<boolean> | null = null;
  readonly #lanes = new Map<RTCDataChannel, LaneId>();

  constructor(deps: FileSenderDeps) {
    super();
    const { fileSize, chunkSize } = deps.description;
    const count = chunkCountOf(fileSize, chunkSize);
    this.#deps = deps;
    this.#queue = new ChunkSet(count);
    this.#ahead = new ChunkSet(count);
    this.#early = new ChunkSet(count);
    this.#sent = new ChunkSet(count);
    this.#stored = new ChunkSet(count);
    this.#confirmed = new ChunkSet(count);
    const { burst, perSecond, least } = namedChunks;
    const rate = { burst: burst * count + least, perSecond: perSecond * count + least };
    this.#namedChunks = new TokenBucket(rate, deps.clock);
    this.#chunksPerSlice = Math.max(1, Math.floor(sliceBytes / chunkSize));
    this.#message = new ArrayBuffer(blockHeaderBytes + deps.blockSizeBytes + chunkDigestBytes);
    this.#root = deps.source.root;
    this.#leaveSource = deps.source.join();
    this.#watch = new StallWatch(deps.clock);
    this.#watch.on("stall", (error) => this.#fail(error));
    this.#readsZstd = new Promise((resolve) => {
      this.#settleReadsZstd = resolve;
    });
    const { channels } = deps;
    channels.on("open", () => {
      this.#report({ type: "open" });
      this.start();
    });
    channels.on("closed", () => this.#report({ type: "channels-closed" }));
    channels.on("lost", (channel) => this.handleLost(channel));
    channels.on("control", (control) => this.handleControl(control));
    channels.on("block", () => channels.violate("block to the sender of a file"));
    channels.on("violation", (issue) => this.#report({ type: "violation", issue }));
  }

  get channelCount(): number {
    return this.#deps.channels.channels.size;
  }

  get isOver(): boolean {
    return this.#deps.channels.isOver;
  }

  get transferredBytes(): number {
    const stored = this.#stored;
    return bytesOfChunks(this.#deps.description, stored.count, stored.has(stored.size - 1));
  }

  addChannel(channel: RTCDataChannel, lane: LaneId | null): void {
    this.#deps.channels.add(channel);
    this.#deps.writer.add(channel, lane);
    if (lane !== null) this.#lanes.set(channel, lane);
  }

  leaveLane(lane: LaneId, isLost: boolean): void {
    const { channels, writer } = this.#deps;
    for (const [channel, its] of this.#lanes) {
      if (its !== lane) continue;
      this.#lanes.delete(channel);
      if (isLost) channels.lose(channel);
      else channels.drop(channel);
      writer.remove(channel);
    }
  }

  setPace(bytesPerSecond: number | null): void {
    this.#deps.writer.setPace(bytesPerSecond, this.#deps.clock);
  }

  /** Sends the file before it is requested, unless part of it was read before. Call it once a channel is open. */
  start(): void {
    const { digests, earlier } = this.#deps.source;
    if (this.#asked || this.#state !== "idle" || digests.size + earlier.size > 0) return;
    this.#queue.fill();
    this.#goOn();
  }

  /** Handles a control frame from the receiver. One too many is not read: an honest receiver repeats what it still lacks. */
  handleControl(control: TransferControl): void {
    if (this.#state === "ended") return;
    if (control.type !== "complete") {
      const named = Math.min(countOf(control.ranges), this.#sent.size);
      if (!this.#namedChunks.take(Math.max(named, chunksPerFrame))) return;
    }
    if (control.type === "request-content") this.#request(control);
    else if (control.type === "received") this.#confirm(control.ranges);
    else if (this.#root !== null) {
      if (control.root === this.#root) this.#end({ type: "complete" });
      else this.#fail(new WarrenError("root-verification-failed"));
    }
  }

  /** A channel was lost while others remain: resends its unconfirmed chunks. */
  handleLost(channel: object): void {
    if (this.#state === "ended") return;
    for (const chunk of this.#unconfirmed.lostWith(channel)) this.#sendAgain(chunk);
    this.#wake();
    if (this.#queue.count > 0) this.#goOn();
  }

  async close(): Promise<void> {
    const { channels, writer } = this.#deps;
    this.#stop();
    this.clear();
    const used = [...channels.channels];
    channels.close();
    for (const channel of used) writer.remove(channel);
  }

  #request({ ranges, encodings }: Extract<TransferControl, { type: "request-content" }>): void {
    if (!fitsCount(ranges, this.#sent.size)) {
      this.#fail(new WarrenError("ranges-invalid", { issue: "out of range" }));
      return;
    }
    this.#readsZstd = encodings?.includes("zstd") ?? false;
    this.#settleReadsZstd(this.#readsZstd);
    if (!this.#asked) {
      // Chunks missing in the first request are already stored at the receiver.
      this.#sent.fill();
      this.#stored.fill();
      this.#queue.clear();
    }
    this.#sent.deleteRanges(ranges);
    this.#queue.addRanges(ranges);
    for (const chunk of indexesOf(ranges)) {
      // A delayed request, for example after a network cut, names chunks that have arrived meanwhile.
      const isConfirmed = this.#confirmed.has(chunk);
      const isThere = isConfirmed || this.#early.has(chunk);
      this.#early.delete(chunk);
      if (!isConfirmed) this.#stored.delete(chunk);
      if (isThere) this.#sent.add(chunk);
      if (isThere || this.#ahead.has(chunk)) this.#queue.delete(chunk);
    }
    this.#asked = true;
    this.#wake();
    this.#goOn();
  }

  #confirm(ranges: ChunkRanges): void {
    if (!fitsCount(ranges, this.#confirmed.size)) return;
    this.#unconfirmed.confirm(ranges);
    for (const chunks of [this.#confirmed, this.#stored, this.#sent]) chunks.addRanges(ranges);
    this.#wake();
  }

  #sendAgain(chunk: number): void {
    if (this.#stored.has(chunk)) return;
    this.#sent.delete(chunk);
    this.#early.delete(chunk);
    this.#queue.add(chunk);
  }

  #goOn(): void {
    if (this.#state !== "idle") return;
    this.#state = "sending";
    void this.#send().catch((thrown: unknown) => this.#fail(toWarrenError(thrown)));
  }

  async #send(): Promise<void> {
    do {
      while (this.#queue.count > 0) await this.#sendQueued();
      if (this.#hasEnded()) return;
      this.#root ??= await this.#makeRoot();
      if (this.#hasEnded()) return;
      if (!(await this.#compare())) throw new WarrenError("source-changed");
    } while (this.#queue.count > 0);
    if (this.#hasEnded()) return;
    this.#deps.channels.sendControl({ type: "complete", root: this.#root }, { everywhere: true });
    this.#state = "idle";
  }

  async #sendQueued(): Promise<void> {
    for await (const prepared of readAhead(this.#prepared())) {
      await this.#sendChunk(prepared);
      if (this.#hasEnded()) return;
      if (prepared.doneSlice) this.#deps.source.release(prepared.doneSlice);
    }
  }

  async *#slices(): AsyncGenerator<Slice> {
    for (;;) {
      const run = this.#hasEnded() ? null : this.#queue.takeRun(this.#chunksToRead);
      if (!run) return;
      this.#chunksToRead = Math.min(2 * this.#chunksToRead, this.#chunksPerSlice);
      this.#ahead.addRanges([[...run]]);
      yield await this.#readSlice(...run);
    }
  }

  /** Packs the chunks in order, as many concurrently as there are threads. */
  async *#prepared(): AsyncGenerator<PreparedChunk> {
    const { compression } = this.#deps;
    const underWay: Promise<PreparedChunk>[] = [];
    for await (const slice of readAhead(this.#slices())) {
      for (const [chunk, bytes] of this.#chunksOf(slice)) {
        const preparing = this.#prepare(chunk, bytes, chunk === slice.last ? slice.bytes : null);
        // The rejection is handled when its item is awaited, unless the reader has left by then.
        preparing.catch(() => {});
        underWay.push(preparing);
        if (underWay.length >= compression.threads) yield* underWay.splice(0, 1);
      }
    }
    // Once the whole file is read, it can be compared while the last chunks are sent.
    void Promise.all(underWay).then(
      () => {
        const isRead = this.#deps.source.digests.size === this.#sent.size;
        if (isRead && !this.#hasEnded()) void this.#compare();
      },
      () => {},
    );
    yield* underWay;
  }

  async #prepare(chunk: number, bytes: Bytes, doneSlice: Bytes | null): Promise<PreparedChunk> {
    const readsZstd = this.#readsZstd;
    const before = this.#unconfirmed.encodingOf(chunk);
    const packing = this.#deps.compression.pack(bytes, { readsZstd, before });
    // Until then it may wait for the receiver.
    void Promise.resolve(readsZstd).then(() => {
      this.#watch.follow("compress", packing).catch(() => {});
    });
    const [digest, packed] = await Promise.all([this.#digest(chunk, bytes), packing]);
    return { chunk, chunkDigest: chunkDigestOf(chunk, digest), doneSlice, ...packed };
  }

  async #sendChunk({ chunk, bytes, encoding, chunkDigest }: PreparedChunk): Promise<void> {
    const { blockSizeBytes, writer, channels } = this.#deps;
    const blockCount = Math.ceil(bytes.byteLength / blockSizeBytes);
    await this.#untilHeld();
    this.#ahead.delete(chunk);
    // The receiver already has it by now, or never lacked it.
    if (this.#sent.has(chunk)) return;
    if (!this.#asked) this.#early.add(chunk);
    for (let block = 0; block < blockCount && !this.#hasEnded(); block++) {
      const start = block * blockSizeBytes;
      const last = block === blockCount - 1;
      const data = bytes.subarray(start, start + blockSizeBytes);
      const digest = last ? chunkDigest : null;
      const message = encodeBlock({ chunk, block, last, encoding, digest, data }, this.#message);
      const channel = await writer.write(channels.channels, message);
      if (!this.#unconfirmed.add(chunk, encoding, channel)) this.#sendAgain(chunk);
    }
    // It may have been requested again, or lost, meanwhile.
    if (!this.#queue.has(chunk) && !this.#ahead.has(chunk)) this.#sent.add(chunk);
  }

  /** Waits until the receiver may hold another chunk. */
  async #untilHeld(): Promise<void> {
    const { chunkSize } = this.#deps.description;
    const fits = () => (this.#sent.count - this.#stored.count + 1) * chunkSize <= heldPerFileBytes;
    while (!fits() && !this.#hasEnded())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  /** Reads the chunks that no receiver requested from this page, for example after a reload, to have every digest. */
  async #makeRoot(): Promise<string> {
    const { description, source } = this.#deps;
    const unread = new ChunkSet(this.#sent.size);
    for (let chunk = 0; chunk < unread.size; chunk++) if (!source.digests.has(chunk)) unread.add(chunk);
    for (let run = unread.takeRun(this.#chunksPerSlice); run; run = unread.takeRun(this.#chunksPerSlice)) {
      if (this.#hasEnded()) break;
      this.#unchanged = null;
      const slice = await this.#readSlice(...run);
      for (const [chunk, bytes] of this.#chunksOf(slice)) await this.#digest(chunk, bytes);
      source.release(slice.bytes);
    }
    const digests = Array.from({ length: this.#sent.size }, (_, chunk) => source.digests.get(chunk));
    const known = digests.filter((digest) => digest !== undefined);
    return this.#watch.follow("digest", rootOf(description, known));
  }

  /** Compares the file with its reads, once: a chunk that is read again later has to match its digest anyway. */
  #compare(): Promise<boolean> {
    const { description, source } = this.#deps;
    this.#unchanged ??= isUnchanged(description, source, this.#watch);
    // The rejection is handled once everything is sent, unless the transfer has ended by then.
    this.#unchanged.catch(() => {});
    return this.#unchanged;
  }

  /** The digest of a chunk; a chunk that differs from an earlier read ends the transfer. */
  async #digest(chunk: number, bytes: Bytes): Promise<Bytes> {
    const { digests, earlier } = this.#deps.source;
    const digest = await this.#watch.follow("digest", digestOf(bytes));
    const before = digests.get(chunk) ?? earlier.get(chunk);
    if (before && !sameDigest(before, digest)) throw new WarrenError("source-changed");
    digests.set(chunk, digest);
    return digest;
  }

  async #readSlice(first: number, last: number): Promise<Slice> {
    const { description, source } = this.#deps;
    const end = Math.min(chunkStartOf(description, last + 1), description.fileSize);
    const reading = source.read(chunkStartOf(description, first), end);
    return { first, last, bytes: await this.#watch.follow("read", reading) };
  }

  *#chunksOf({ first, last, bytes }: Slice): Generator<readonly [chunk: number, bytes: Bytes]> {
    const { chunkSize } = this.#deps.description;
    for (let chunk = first; chunk <= last; chunk++) {
      const start = (chunk - first) * chunkSize;
      yield [chunk, bytes.subarray(start, start + chunkSize)];
    }
  }

  #hasEnded(): boolean {
    return this.#state === "ended";
  }

  #fail(error: WarrenError): void {
    if (!channelLosses.has(error.code)) this.#end({ type: "error", error: error.describe() });
    else if (!this.#hasEnded()) this.#stop();
  }

  #end(report: RunReport): void {
    if (this.#hasEnded()) return;
    this.#stop();
    this.#report(report);
  }

  #report(report: RunReport): void {
    this.emit("report", report);
  }

  #stop(): void {
    this.#state = "ended";
    this.#wake();
    this.#queue.clear();
    this.#watch.close();
    this.#leaveSource();
  }
}

/** Yields the same items, with the next one always in progress while the current one is processed. */
async function* readAhead<T>(items: AsyncIterator<T>): AsyncGenerator<T> {
  let next = items.next();
  for (;;) {
    const item = await next;
    if (item.done) return;
    next = items.next();
    // The rejection is handled by the await above, unless the reader has left by then.
    next.catch(() => {});
    yield item.value;
  }
}
