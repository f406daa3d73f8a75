import { type FileDescription, WarrenError } from "@warren/protocol";
import { expect, it } from "vitest";
import { settle } from "../../testing/fake-clock.ts";
import { digestText, type FilePeer, FilePeers, fileOf, noise } from "../../testing/file-peers.ts";
import type { StorageOperation } from "../../testing/memory-file-storage.ts";
import { underWay } from "../../testing/work-under-way.ts";
import { type Compressor, ownThreadCompressor } from "../compression/compressor.ts";
import { isLive, type TransferState } from "../offer-state.ts";
import type { TransferKey } from "../transfer-state.ts";

/** Something that a browser does for a transfer, and may never finish. */
type Work = `store ${StorageOperation}` | "read" | "digest" | "worker of a" | "worker of b";

interface Hang {
  readonly work: Work;
  /** How often it succeeds before. */
  readonly after: number;
  /** Whether it also hangs every later time. */
  readonly isForGood: boolean;
}

const works: readonly Work[] = [
  ...(["store writeRecord", "store readDigests", "store openSink", "store write"] as const),
  ...(["store finish", "store close", "read", "digest", "worker of a", "worker of b"] as const),
];
const hangs: readonly (Hang | null)[] = [
  null,
  ...works.flatMap((work) =>
    [0, 1, 2, 3, 4].flatMap((after) => [true, false].map((isForGood) => ({ work, after, isForGood }))),
  ),
];
/** Whatever can hang, whenever and wherever the transfer runs. */
const trials = (["page", "worker"] as const).flatMap((thread) =>
  hangs.map((hang) => [thread, hang] as const),
);

const timeLimitMs = 60_000;
/** How an end of an offer stops when the other has failed. */
const failed = { state: "failed", error: new WarrenError("unknown").describe() } as const;
/** How long a worker hangs that does not hang for good. */
const workerHangMs = 40_000;
const bytes = noise(220_000);

/** Hangs of the platform's digests, by the first byte of the digested chunk. */
const digestsOf = new Map<number, () => Promise<void>>();
const digest = crypto.subtle.digest.bind(crypto.subtle);
Object.defineProperty(crypto.subtle, "digest", {
  value: async (name: AlgorithmIdentifier, data: Uint8Array<ArrayBuffer>) => {
    if (data.byteLength > 1_000) await digestsOf.get(data[0] ?? -1)?.();
    return digest(name, data);
  },
});

/** Lets reads of a file wait. They are reads of a `Blob`, wherever the file is read. */
function slowDown(file: Blob, wait: () => Promise<void>): void {
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    const arrayBuffer = part.arrayBuffer.bind(part);
    part.arrayBuffer = async () => {
      await wait();
      return underWay(arrayBuffer());
    };
    part.stream = () => {
      throw new TypeError("no streams");
    };
    return part;
  };
}

/** What does not hang takes no time, however busy the machine is: hangs are to take a minute, not the test. */
const compressor: Compressor = {
  threads: ownThreadCompressor.threads,
  compress: (...chunk) => underWay(ownThreadCompressor.compress(...chunk)),
};
const later = (turn: () => void) => {
  void underWay(new Promise<void>((resolve) => setImmediate(resolve)).then(turn));
};

/** Two clients that exchange one file while some work of their browsers hangs. */
class Trial {
  readonly peers: FilePeers;
  readonly description: FileDescription;
  /** How often work did not finish. */
  hung = 0;
  readonly #hang: Hang | null;
  readonly #own: Uint8Array<ArrayBuffer>;
  #times = 0;
  /** Why an end gave up, if it did. */
  readonly #failures = new Map<FilePeer, TransferState>();

  constructor(tag: number, thread: "page" | "worker", hang: Hang | null) {
    this.#hang = hang;
    this.peers = new FilePeers(thread, { compressor });
    this.peers.link.channelOptions = { later };
    const { a, b } = this.peers;
    b.storage.before = (operation) => this.#perform(`store ${operation}`);
    this.#own = bytes.slice();
    for (let start = 0; start < bytes.length; start += 64 * 1024) this.#own[start] = tag;
    digestsOf.set(tag, () => this.#perform("digest"));
    const file = fileOf(this.#own);
    slowDown(file, () => this.#perform("read"));
    this.description = a.library.addSource(file, 64 * 1024);
    for (const peer of [a, b]) this.#follow(peer);
  }

  /** Does what the two ends of an offer do: resume what broke off, and tell each other what failed. */
  #follow(peer: FilePeer): void {
    const { a, b } = this.peers;
    peer.transfers.on("broken", () => void this.begin());
    peer.transfers.on("state", ({ fid }, state) => {
      if (state.state !== "failed") return;
      this.#failures.set(peer, state);
      const other = peer === a ? b : a;
      const theirs: TransferKey = `${peer.id}/${fid}`;
      if (isLive(other.transfers.stateOf(theirs))) other.transfers.stop(theirs, failed);
    });
  }

  async begin(): Promise<void> {
    const { a, b } = this.peers;
    try {
      if (await b.transfers.expect(a.id, this.description)) a.transfers.send(b.id, this.description);
    } catch (thrown) {
      this.#failures.set(b, { state: "failed", error: (thrown as WarrenError).describe() });
      a.transfers.stop(this.peers.sentKey(this.description), failed);
    }
  }

  /** "complete", "stalled", or the states of both ends if they are neither within a minute. */
  async outcome(): Promise<string> {
    void this.begin();
    const { a, b, clock } = this.peers;
    if (this.#hang?.work === "worker of a") void this.#hangWorker(a, this.#hang);
    if (this.#hang?.work === "worker of b") void this.#hangWorker(b, this.#hang);
    const isOver = () => this.#failures.size > 0 || this.#isComplete();
    for (let passedMs = 0; passedMs < timeLimitMs && !isOver(); passedMs += 1_000) await clock.advance(1_000);
    await settle();
    if (this.#isComplete() && (await this.peers.receivedDigest(this.description)) === digestText(this.#own))
      return "complete";
    const reasons = [...this.#failures.values()].map((end) => end.state === "failed" && end.error.code);
    if (reasons.includes("transfer-stalled")) return "stalled";
    return JSON.stringify([this.#stateOf(a), this.#stateOf(b)]);
  }

  async end(tag: number): Promise<void> {
    digestsOf.delete(tag);
    await this.peers.close();
  }

  #isComplete(): boolean {
    const { a, b } = this.peers;
    return [a, b].every((peer) => this.#stateOf(peer)?.state === "complete");
  }

  #stateOf(peer: FilePeer): TransferState | undefined {
    const { peers, description } = this;
    const key = peer === peers.a ? peers.sentKey(description) : peers.receivedKey(description);
    return this.#failures.get(peer) ?? peer.transfers.store.getState().get(key)?.now;
  }

  async #hangWorker({ id }: FilePeer, { after, isForGood }: Hang): Promise<void> {
    const thread = this.peers.workers.get(id);
    if (!thread) return;
    for (let turn = 0; turn < after; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    this.hung++;
    thread.isHung = true;
    if (!isForGood) this.peers.clock.after(workerHangMs, () => Object.assign(thread, { isHung: false }));
  }

  async #perform(work: Work): Promise<void> {
    if (this.#hang?.work !== work) return;
    const { after, isForGood } = this.#hang;
    const times = this.#times++;
    if (times !== after && !(isForGood && times > after)) return;
    this.hung++;
    await new Promise<never>(() => {});
  }
}

const rounds = process.env.WARREN_LONG === "1" ? 100 : 1;

it("completes or says why, within a minute, whatever never answers", { timeout: 900_000 }, async () => {
  for (let round = 0; round < rounds; round++) {
    const hung = new Map<Work, number>();
    // Concurrently, since most of their time is spent waiting for turns of the event loop.
    const wrong = await Promise.all(
      trials.map(async ([thread, hang], tag) => {
        const trial = new Trial(tag, thread, hang);
        const outcome = await trial.outcome();
        void trial.end(tag);
        if (hang) hung.set(hang.work, (hung.get(hang.work) ?? 0) + trial.hung);
        const mayStall = hang?.isForGood === true && trial.hung > 0;
        const isRight = outcome === "complete" || (mayStall && outcome === "stalled");
        return isRight ? [] : [`${thread}, ${JSON.stringify(hang)}: ${outcome}`];
      }),
    );
    expect(wrong.flat()).toEqual([]);
    expect([...hung.values()].filter((times) => times > 0)).toHaveLength(works.length);
  }
});
