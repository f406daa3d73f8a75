import {
  type Block,
  type ChunkRanges,
  decodeBlock,
  type TransferControl,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { ChunkSet } from "../../files/digests/chunk-set.ts";
import { rootOf } from "../../files/digests/digests.ts";
import { chunkLengthOf } from "../../files/file-layout.ts";
import type { ReceivedFile } from "../../files/received-file.ts";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import type { Bytes } from "../../ports/file-storage.ts";
import { Emitting } from "../../shared/emitter.ts";
import type { Zstd } from "../compression/zstd.ts";
import { type HeldQuota, type HeldQuotas, heldNeedOf, heldPerFileBytes } from "../held-bytes.ts";
import { type AssembledChunk, BlockAssembler } from "./block-assembler.ts";
import type { ChannelGroup } from "./channel-group.ts";
import { Confirmations } from "./confirmations.ts";
import { RefusedChunks } from "./refused-chunks.ts";
import type { RunReport, TransferRun, TransferRunEvents } from "./transfer-engine.ts";
import { verifyChunk } from "./verify-chunk.ts";

/** The receiver checks what is missing: at this interval, or this long after the last message. */
const checkPeriodMs = 5_000;
export const quietMs = 10_000;
/**
 * The least held bytes, however small the quota: with space for one chunk only, most data in flight would be refused.
 */
const heldLeastBytes = 2 * 1024 * 1024;
/** How many times a chunk may fail verification. */
const chunkAttempts = 3;
/** How many malformed messages are tolerated. */
const violationLimit = 20;
/** How long the sender has to read our last frame and close the channels. */
const closeGraceMs = 5_000;

export interface FileReceiverDeps {
  readonly file: ReceivedFile;
  readonly clock: Clock;
  readonly channels: ChannelGroup;
  /** Divides the bytes that all incoming files may hold; each may hold at least 2 MiB, or one chunk. */
  readonly heldQuotas?: Pick<HeldQuotas, "join"> | undefined;
  /** Decompresses zstd; without it, zstd is not requested. */
  readonly zstd?: Zstd | undefined;
}

/**
 * Receives one file over the channels added to it: requests missing chunks, verifies and stores each, and completes the file.
 * `complete` is reported once its root equals the sender's and the sender was notified.
 */
export class FileReceiver extends Emitting<TransferRunEvents> implements TransferRun {
  readonly #deps: FileReceiverDeps;
  readonly #assembler: BlockAssembler;
  readonly #chunkCount: number;
  /** Complete chunks: being verified, being stored, or stored. */
  readonly #taken: ChunkSet;
  /** SHA-256 of every verified chunk, stored or not. */
  readonly #digests: Map<number, Bytes>;
  readonly #wrong = new Map<number, number>();
  readonly #refused = new RefusedChunks();
  readonly #confirmations: Confirmations;
  #pendingBytes = 0;
  #violations = 0;
  #senderRoot: string | null = null;
  #lastMessageAt: number;
  #cancelCheck: CancelTimer | null = null;
  #state: "idle" | "receiving" | "finishing" | "complete" | "failed" | "closed" = "idle";
  readonly #quota: HeldQuota | undefined;
  #closing: Promise<void> | null = null;

  constructor(deps: FileReceiverDeps) {
    super();
    this.#deps = deps;
    const { file, clock, channels } = deps;
    this.#assembler = new BlockAssembler(file.description);
    this.#chunkCount = file.stored.size;
    this.#taken = new ChunkSet(this.#chunkCount, file.digests.keys());
    this.#digests = new Map(file.digests);
    this.#lastMessageAt = clock.elapsedMs() - quietMs;
    this.#confirmations = new Confirmations(clock, file.description.chunkSize, (ranges) =>
      channels.sendControl({ type: "received", ranges: [...ranges] }),
    );
    this.#quota = deps.heldQuotas?.join(heldNeedOf(file.description), () => this.isQuiet);
    file.watch.on("stall", (error) => this.#fail(error));
    channels.on("open", () => {
      this.#report({ type: "open" });
      this.start();
    });
    channels.on("lost", () => {
      this.#report({ type: "channel-closed" });
      // It may have carried confirmations.
      this.#confirmAll();
    });
    channels.on("closed", () => this.#report({ type: "channels-closed" }));
    channels.on("block", (message) => this.handleBlock(message));
    channels.on("control", (control) => this.handleControl(control));
    channels.on("violation", (issue) => this.#report({ type: "violation", issue }));
  }

  get channelCount(): number {
    return this.#deps.channels.channels.size;
  }

  get isOver(): boolean {
    return this.#deps.channels.isOver;
  }

  /** Durable bytes. */
  get transferredBytes(): number {
    return this.#deps.file.storedBytes;
  }

  addChannel(channel: RTCDataChannel): void {
    this.#deps.channels.add(channel);
  }

  /** The sender closes its channels on a lane. */
  leaveLane(): void {}

  setPace(): void {}

  get #isActive(): boolean {
    return this.#state === "receiving" || this.#state === "finishing";
  }

  /** Whether nothing has arrived for a while, or at all. */
  get isQuiet(): boolean {
    return this.#quietLeftMs() <= 0;
  }

  /** Requests all missing chunks. Call it once a channel is open. */
  start(): void {
    if (this.#state !== "idle") return;
    this.#state = "receiving";
    this.#ask(this.#taken.missing());
    this.#checkAfter(checkPeriodMs);
    void this.#checkStored().catch((thrown: unknown) => this.#fail(toWarrenError(thrown)));
  }

  /** Handles a binary message from the sender. */
  handleBlock(message: Uint8Array): void {
    // A browser may deliver a block before it reports the channel as open.
    this.start();
    if (this.#state !== "receiving") return;
    this.#lastMessageAt = this.#deps.clock.elapsedMs();
    const decoded = decodeBlock(message, this.#chunkCount);
    if (!decoded.ok) {
      this.#deps.channels.violate(decoded.error.code);
      this.#violate(decoded.error);
    } else if (!this.#taken.has(decoded.value.chunk)) this.#assemble(decoded.value);
  }

  /** Handles a control frame from the sender. */
  handleControl(control: TransferControl): void {
    if (this.#state !== "receiving") return;
    if (control.type === "complete") {
      this.#lastMessageAt = this.#deps.clock.elapsedMs();
      this.#senderRoot = control.root;
      this.#finishIfWhole();
    } else this.#violate(new WarrenError("transferer-not-sending"));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { channels, clock, file } = this.#deps;
    this.clear();
    if (this.#state === "complete") channels.closeLater(clock, closeGraceMs);
    else channels.close();
    this.#stop("closed");
    await file.close().finally(() => {
      file.watch.close();
      this.#quota?.leave();
    });
  }

  #assemble(block: Block): void {
    if (!this.#assembler.isOpen(block.chunk) && this.#isRefused(block.chunk)) {
      this.#refused.add(block.chunk);
      return;
    }
    const outcome = this.#assembler.add(block);
    if (outcome.kind === "refused") this.#refused.add(block.chunk);
    if (outcome.kind === "dropped") this.#violate(outcome.error);
    if (outcome.kind !== "chunk") return;
    this.#taken.add(outcome.chunk.chunk);
    void this.#takeIn(outcome.chunk).catch((thrown: unknown) => this.#fail(toWarrenError(thrown)));
  }

  async #takeIn(assembled: AssembledChunk): Promise<void> {
    const { chunk } = assembled;
    const length = chunkLengthOf(this.#deps.file.description, chunk);
    this.#pendingBytes += length;
    try {
      const verified = await this.#deps.file.watch.follow(
        "verify",
        verifyChunk(assembled, length, this.#deps.zstd),
      );
      if (this.#state !== "receiving") return;
      if (!verified) {
        this.#askAgain(chunk);
        return;
      }
      this.#digests.set(chunk, verified.digest);
      const written = this.#deps.file.write(chunk, verified.bytes, verified.digest);
      this.#finishIfWhole();
      await written;
      if (this.#isActive) this.#confirmations.add(chunk);
    } finally {
      this.#pendingBytes -= length;
    }
    this.#askForRefused();
  }

  #askAgain(chunk: number): void {
    const times = (this.#wrong.get(chunk) ?? 0) + 1;
    this.#wrong.set(chunk, times);
    this.#taken.delete(chunk);
    if (times >= chunkAttempts) this.#fail(new WarrenError("chunk-verification-failed", { chunk }));
    else this.#ask([chunk]);
  }

  /** Requests refused chunks again once storage has caught up to half of the held bytes. */
  #askForRefused(): void {
    if (this.#refused.isEmpty || this.#state !== "receiving") return;
    if (this.#pendingBytes + this.#openBytes() > this.#heldLimitBytes() / 2) return;
    this.#ask(this.#refused.take((chunk) => !this.#taken.has(chunk)));
  }

  /** Checks the chunks stored before the page loaded, while the missing chunks are being received. */
  async #checkStored(): Promise<void> {
    for await (const chunk of this.#deps.file.findDamaged()) {
      if (this.#state !== "receiving") return;
      this.#taken.delete(chunk);
      this.#digests.delete(chunk);
      this.#ask([chunk]);
    }
    this.#finishIfWhole();
  }

  #finishIfWhole(): void {
    const root = this.#senderRoot;
    if (this.#state !== "receiving" || root === null) return;
    if (this.#digests.size < this.#chunkCount || this.#deps.file.unchecked.size > 0) return;
    this.#state = "finishing";
    this.#cancelCheck?.();
    void this.#finish(root).catch((thrown: unknown) => this.#fail(toWarrenError(thrown)));
  }

  async #finish(senderRoot: string): Promise<void> {
    const { file, channels } = this.#deps;
    const digests = Array.from({ length: this.#chunkCount }, (_, chunk) => this.#digests.get(chunk));
    const known = digests.filter((digest) => digest !== undefined);
    const root = await file.watch.follow("digest", rootOf(file.description, known));
    if (root !== senderRoot) throw new WarrenError("root-verification-failed");
    await file.finish(root, (progress) => this.#report({ type: "merging", progress }));
    if (this.#state !== "finishing") return;
    channels.sendControl({ type: "complete", root }, { everywhere: true });
    this.#stop("complete");
    this.#report({ type: "complete" });
  }

  /**
   * Once a block of a chunk was refused, so are its others: a chunk opened by a later block would never be complete.
   */
  #isRefused(chunk: number): boolean {
    return this.#refused.has(chunk) || this.#isFull(chunk);
  }

  #isFull(chunk: number): boolean {
    const length = chunkLengthOf(this.#deps.file.description, chunk);
    return this.#pendingBytes + this.#openBytes() + length > this.#heldLimitBytes();
  }

  #heldLimitBytes(): number {
    const { file } = this.#deps;
    return Math.max(
      file.description.chunkSize,
      heldLeastBytes,
      Math.min(heldPerFileBytes, this.#quota?.bytes() ?? heldPerFileBytes),
    );
  }

  /** The final size of all open chunks. */
  #openBytes(): number {
    return this.#assembler.openCount * this.#deps.file.description.chunkSize;
  }

  #ask(ranges: ChunkRanges, where?: { readonly everywhere: boolean }): void {
    const { zstd, channels } = this.#deps;
    const encodings = zstd?.isUsable ? { encodings: ["zstd"] } : null;
    channels.sendControl({ type: "request-content", ranges: [...ranges], ...encodings }, where);
  }

  /** Repeats every confirmation: the sender waits for those that were lost. Chunks not compared yet may turn out missing. */
  #confirmAll(where?: { readonly everywhere: boolean }): void {
    const { stored, unchecked } = this.#deps.file;
    const ranges = stored.rangesWithout(unchecked);
    if (this.#isActive && ranges.length > 0)
      this.#deps.channels.sendControl({ type: "received", ranges }, where);
  }

  #checkAfter(delayMs: number): void {
    const { clock } = this.#deps;
    this.#cancelCheck = clock.after(delayMs, () => {
      const quietLeftMs = this.#quietLeftMs();
      if (quietLeftMs > 0) return this.#checkAfter(quietLeftMs);
      this.#assembler.clear();
      this.#refused.clear();
      // Even if nothing is missing: then the sender's `complete` is.
      this.#ask(this.#taken.missing(), { everywhere: true });
      this.#confirmAll({ everywhere: true });
      this.#checkAfter(checkPeriodMs);
    });
  }

  #quietLeftMs(): number {
    return this.#lastMessageAt + quietMs - this.#deps.clock.elapsedMs();
  }

  #violate(error: WarrenError): void {
    this.#violations++;
    if (this.#violations > violationLimit) this.#fail(error);
  }

  #stop(state: "complete" | "failed" | "closed"): void {
    this.#state = state;
    this.#cancelCheck?.();
    this.#confirmations.close();
    this.#assembler.clear();
  }

  #fail(error: WarrenError): void {
    if (this.#state === "complete" || this.#state === "failed" || this.#state === "closed") return;
    this.#stop("failed");
    this.#report({ type: "error", error: error.describe() });
  }

  #report(report: RunReport): void {
    this.emit("report", report);
  }
}
