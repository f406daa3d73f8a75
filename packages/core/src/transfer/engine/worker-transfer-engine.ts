import { toWarrenError, WarrenError } from "@warren/protocol";
import type { FileSource } from "../../files/file-source.ts";
import { type FileClaim, finishMsOf } from "../../files/received-file.ts";
import type { Clock } from "../../ports/clock.ts";
import { Emitter } from "../../shared/emitter.ts";
import { StallWatch } from "../../shared/stall-watch.ts";
import type { SendRequest, TransferEngine, TransferRun, TransferRunEvents } from "./transfer-engine.ts";
import type { HostMessage, RunEvent, ThreadPort } from "./transfer-messages.ts";

/** A run from the page's point of view. */
interface RemoteRun {
  readonly events: Emitter<TransferRunEvents>;
  readonly claim: FileClaim | null;
  readonly source: FileSource | null;
  bytes: number;
  channelCount: number;
  isOver: boolean;
  /** Whether the page has closed the run, which emits nothing any more. */
  isClosing: boolean;
  readonly started: Settler;
  readonly closed: Settler;
}

interface Settler {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: WarrenError) => void;
}

/** Moves bytes in a worker that runs a `TransferHost`: channels are transferred to it, so no byte passes the page. */
export class WorkerTransferEngine implements TransferEngine {
  readonly #port: ThreadPort<HostMessage, RunEvent>;
  readonly #runs = new Map<number, RemoteRun>();
  readonly #sourceIds = new WeakMap<FileSource, number>();
  readonly #clock: Clock;
  #watch: StallWatch | null = null;
  #isStalled = false;
  #nextRun = 0;
  #nextSource = 0;

  constructor(port: ThreadPort<HostMessage, RunEvent>, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
    port.on("message", (event) => this.#receive(event));
  }

  /** Whether the worker has not answered for long. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  send({ peerId, description, source, blob, options }: SendRequest): TransferRun {
    const { id, run } = this.#begin({ source });
    const { blockSize, bufferedAmountLowThreshold, compressionLevel } = options;
    this.#post({
      type: "send",
      run: id,
      peerId,
      description,
      location: source.location,
      root: source.root,
      source: this.#idOf(source),
      blob,
      digests: source.digests,
      earlier: source.earlier,
      options: { blockSize, bufferedAmountLowThreshold, compressionLevel },
    });
    return this.#faceOf(id, run);
  }

  async receive(claim: FileClaim): Promise<TransferRun> {
    const { id, run } = this.#begin({ claim });
    const { description, storedChunksVerified } = claim;
    this.#post({ type: "receive", run: id, description, storedChunksVerified });
    await run.started.promise;
    return this.#faceOf(id, run);
  }

  /** The worker is gone, or does not answer: every run ends with this error. */
  fail(error: WarrenError): void {
    for (const [id, run] of [...this.#runs]) {
      this.#end(id);
      // If it answers again, it releases the file.
      this.#post({ type: "close", run: id });
      run.events.emit("report", { type: "error", error: error.describe() });
      run.claim?.abandon();
      run.started.reject(error);
      run.closed.resolve();
    }
  }

  #idOf(source: FileSource): number {
    const id = this.#sourceIds.get(source) ?? this.#nextSource++;
    this.#sourceIds.set(source, id);
    return id;
  }

  #begin({ claim = null, source = null }: Partial<Pick<RemoteRun, "claim" | "source">>): {
    id: number;
    run: RemoteRun;
  } {
    const id = this.#nextRun++;
    const run: RemoteRun = {
      events: new Emitter(),
      claim,
      source,
      bytes: 0,
      channelCount: 0,
      isOver: false,
      isClosing: false,
      started: createSettler(),
      closed: createSettler(),
    };
    // Only a receiving run awaits this.
    run.started.promise.catch(() => {});
    this.#runs.set(id, run);
    this.#watch ??= this.#startWatch();
    void this.#watch.follow("worker", run.closed.promise);
    return { id, run };
  }

  #startWatch(): StallWatch {
    const watch = new StallWatch(this.#clock);
    watch.on("stall", (error) => {
      this.#isStalled = true;
      this.fail(error);
    });
    return watch;
  }

  #end(run: number): void {
    this.#runs.delete(run);
    if (this.#runs.size > 0) return;
    this.#watch?.close();
    this.#watch = null;
  }

  #faceOf(id: number, run: RemoteRun): TransferRun {
    return {
      on: run.events.on.bind(run.events),
      get channelCount() {
        return run.channelCount;
      },
      get isOver() {
        return run.isOver;
      },
      get transferredBytes() {
        return run.bytes;
      },
      leaveLane: (lane, isLost) => this.#post({ type: "leave-lane", run: id, lane, isLost }),
      setPace: (bytesPerSecond) => this.#post({ type: "pace", run: id, bytesPerSecond }),
      addChannel: (channel, lane) => {
        run.channelCount++;
        this.#post({ type: "channel", run: id, channel, lane }, [channel]);
      },
      close: () => {
        if (!run.isClosing && this.#runs.has(id)) this.#post({ type: "close", run: id });
        run.isClosing = true;
        run.events.clear();
        return run.closed.promise;
      },
    };
  }

  #receive(event: RunEvent): void {
    this.#watch?.noteProgress();
    this.#isStalled = false;
    const run = this.#runs.get(event.run);
    if (!run) return;
    switch (event.type) {
      case "receiving":
        run.bytes = event.bytes;
        run.started.resolve();
        break;
      case "refused":
        this.#end(event.run);
        run.claim?.abandon();
        run.started.reject(new WarrenError(event.error.code, event.error.values));
        break;
      case "progress":
        run.bytes = event.bytes;
        break;
      case "digests":
        for (const [chunk, digest] of event.digests) run.source?.digests.set(chunk, digest);
        break;
      case "finishing":
        run.claim?.startMerging();
        // The worker may write the whole file to the disk in one call.
        if (run.claim) this.#watch?.allow(finishMsOf(run.claim.description.fileSize));
        break;
      case "finished":
        void this.#keep(event, run);
        break;
      case "closed":
        run.bytes = event.bytes;
        this.#end(event.run);
        if (event.storedChunksVerified !== null) run.claim?.release(event.bytes, event.storedChunksVerified);
        run.closed.resolve();
        break;
      case "channel-closed":
        run.channelCount--;
        run.events.emit("report", event);
        break;
      case "channels-closed":
        run.isOver = true;
        run.channelCount = 0;
        run.events.emit("report", event);
        break;
      default:
        run.events.emit("report", event);
    }
  }

  async #keep(
    { run: id, root }: Extract<RunEvent, { type: "finished" }>,
    { claim }: RemoteRun,
  ): Promise<void> {
    try {
      await claim?.complete(root);
      this.#post({ type: "kept", run: id, error: null });
    } catch (thrown) {
      this.#post({ type: "kept", run: id, error: toWarrenError(thrown).describe() });
    }
  }

  #post(message: HostMessage, transfer: readonly RTCDataChannel[] = []): void {
    this.#port.post(message, transfer);
  }
}

function createSettler(): Settler {
  let resolve = (): void => {};
  let reject = (_error: WarrenError): void => {};
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
