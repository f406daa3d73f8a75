import { type FileDescription, WarrenError } from "@warren/protocol";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { type FilePeer, FilePeers, noise } from "../testing/file-peers.ts";
import type { StorageOperation } from "../testing/memory-file-storage.ts";
import { ownThreadCompressor } from "./compressor.ts";
import { partsOf, type TransferKey, type TransferState } from "./transfer-state.ts";

/** Something that a browser does for a transfer, and may never finish. */
type Work = `store ${StorageOperation}` | "read" | "digest" | "compress" | "worker of a" | "worker of b";

interface Hang {
  readonly work: Work;
  /** How often it succeeds before. */
  readonly after: number;
  /** Whether it also hangs every later time. */
  readonly isForGood: boolean;
}

const storing: readonly StorageOperation[] = [
  ...(["writeRecord", "readDigests", "openSink", "read", "write", "finish", "close"] as const),
];
const hangs: fc.Arbitrary<Hang> = fc.record({
  work: fc.constantFrom<Work>(
    ...storing.map((operation) => `store ${operation}` as const),
    ...(["read", "digest", "compress", "worker of a", "worker of b"] as const),
  ),
  after: fc.nat(10),
  isForGood: fc.boolean(),
});

/** For one hang. */
const timeLimitMs = 60_000;
/** Two chunks that are compressed, before two that are not. */
const text = new TextEncoder().encode("all work and no play ".repeat(6_000));
const rest = noise(100_000);

/** Hangs of the platform's digests, by the first byte of the digested chunk. */
const digestsOf = new Map<number, () => Promise<void>>();
const digest = crypto.subtle.digest.bind(crypto.subtle);
vi.spyOn(crypto.subtle, "digest").mockImplementation(async (name, data) => {
  const bytes = data as Uint8Array;
  if (bytes.byteLength > 1_000) await digestsOf.get(bytes[0] ?? -1)?.();
  return digest(name, data);
});

/** Two clients that exchange one file while work of their browsers hangs. */
class Trial {
  readonly peers: FilePeers;
  readonly description: FileDescription;
  readonly #hangs: readonly Hang[];
  readonly #times = new Map<Work, number>();
  /** Why an end gave up, if it did. */
  readonly failures = new Map<FilePeer, TransferState>();

  constructor(tag: number, thread: "page" | "worker", hangs: readonly Hang[]) {
    this.#hangs = hangs;
    this.peers = new FilePeers(thread, {
      compressor: {
        threads: 1,
        compress: async (bytes) => {
          await this.#perform("compress");
          return ownThreadCompressor.compress(bytes, null);
        },
      },
    });
    const { a, b } = this.peers;
    b.storage.before = (operation) => this.#perform(`store ${operation}`);
    const bytes = new Uint8Array(text.byteLength + rest.byteLength);
    bytes.set(text);
    bytes.set(rest, text.byteLength);
    for (let start = 0; start < bytes.length; start += 64 * 1024) bytes[start] = tag;
    digestsOf.set(tag, () => this.#perform("digest"));
    this.description = this.peers.offer(bytes);
    const source = a.library.sourceOf(this.description.fid) ?? expect.fail("no source");
    const read = source.read.bind(source);
    vi.spyOn(source, "read").mockImplementation(async (start, end) => {
      await this.#perform("read");
      return read(start, end);
    });
    for (const peer of [a, b]) this.#follow(peer);
  }

  /** Does what the two ends of an offer do: resume what broke off, and tell each other what failed. */
  #follow(peer: FilePeer): void {
    const { a, b } = this.peers;
    peer.transfers.on("broken", () => void this.begin());
    peer.transfers.on("state", (key, state) => {
      if (state.status !== "error") return;
      this.failures.set(peer, state);
      const { fid } = partsOf(key);
      const other = peer === a ? b : a;
      const theirs: TransferKey = `${peer.id}/${fid}`;
      if (other.transfers.isUnderWay(theirs)) other.transfers.fail(theirs, new WarrenError("unknown"));
    });
  }

  async begin(): Promise<void> {
    const { a, b } = this.peers;
    try {
      if (await b.transfers.expect(a.id, this.description)) a.transfers.send(b.id, this.description);
    } catch (thrown) {
      this.failures.set(b, { status: "error", error: (thrown as WarrenError).describe() });
      a.transfers.fail(this.peers.sentKey(this.description), new WarrenError("unknown"));
    }
  }

  /** The states of both ends once nothing moves any more, or after a minute. */
  async outcome(): Promise<string> {
    void this.begin();
    const { a, b, clock } = this.peers;
    for (const hang of this.#hangs)
      if (hang.work.startsWith("worker")) void this.#hangWorker(hang, hang.work.endsWith("a") ? a : b);
    const limitMs = timeLimitMs * Math.max(1, this.#hangs.length);
    for (let passedMs = 0; passedMs < limitMs && !this.#isOver(); passedMs += 1_000)
      await clock.advance(1_000);
    await settle();
    return this.#isOver() ? "over" : JSON.stringify([this.#stateOf(a), this.#stateOf(b)]);
  }

  async end(tag: number): Promise<void> {
    digestsOf.delete(tag);
    await this.peers.close();
  }

  #isOver(): boolean {
    const { a, b } = this.peers;
    const isComplete = [a, b].every((peer) => this.#stateOf(peer)?.status === "complete");
    return isComplete || this.failures.size > 0;
  }

  #stateOf(peer: FilePeer): TransferState | undefined {
    const { peers, description } = this;
    const key = peer === peers.a ? peers.sentKey(description) : peers.receivedKey(description);
    return this.failures.get(peer) ?? peer.transfers.store.getState()[key]?.state;
  }

  async #hangWorker({ after, isForGood }: Hang, { id }: FilePeer): Promise<void> {
    const thread = this.peers.workers.get(id);
    if (!thread) return;
    for (let turn = 0; turn < after; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    thread.isHung = true;
    if (!isForGood) this.peers.clock.after(40_000, () => Object.assign(thread, { isHung: false }));
  }

  async #perform(work: Work): Promise<void> {
    const times = this.#times.get(work) ?? 0;
    this.#times.set(work, times + 1);
    for (const hang of this.#hangs)
      if (hang.work === work && (times === hang.after || (hang.isForGood && times > hang.after)))
        await new Promise<never>(() => {});
  }
}

/** They run concurrently, since most of their time is spent waiting for turns of the event loop. */
const trialsAtOnce = 50;
const rounds = process.env.WARREN_LONG === "1" ? 400 : 40;

it("completes or says why, within a minute, whatever never answers", { timeout: 900_000 }, async () => {
  const trial = fc.tuple(
    fc.constantFrom("page" as const, "worker" as const),
    fc.array(hangs, { maxLength: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(trial, { minLength: trialsAtOnce, maxLength: trialsAtOnce }),
      async (trials) => {
        const outcomes = await Promise.all(
          trials.map(async ([thread, hangs], tag) => {
            const trial = new Trial(tag, thread, hangs);
            const outcome = await trial.outcome();
            void trial.end(tag);
            return `${thread}, ${JSON.stringify(hangs)}: ${outcome}`;
          }),
        );
        expect(outcomes.filter((outcome) => !outcome.endsWith(": over"))).toEqual([]);
      },
    ),
    { numRuns: rounds, endOnFailure: true },
  );
});
