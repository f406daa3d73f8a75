import {
  type FileClaim,
  type FileStorage,
  LazyTransferEngine,
  type SendRequest,
  type TransferEngine,
  type TransferRun,
  type TransferRunHandlers,
  WorkerTransferEngine,
} from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { openWire } from "../workers/thread-wire.ts";
import workerAddress from "../workers/transfer-worker.ts?worker&url";
import { trustedUrl } from "../workers/trusted-url.ts";
import { browserClock } from "./browser-clock.ts";
import { consoleLog } from "./console-log.ts";
import { IndexedDbFileStorage } from "./indexeddb-file-storage.ts";
import { LastingStorage } from "./lasting-storage.ts";
import { OpfsFileStorage } from "./opfs-file-storage.ts";
import { WorkerFiles } from "./worker-files.ts";

/** Where files rest and who moves their bytes. */
export interface FileTransfers {
  readonly storage: FileStorage;
  readonly engine: TransferEngine;
}

/**
 * Starts the worker that keeps files under a name and moves their bytes. Where the browser can not hand it data
 * channels, bytes pass through the page; where it can not keep files, they rest in IndexedDB.
 * @param batchChunks how many chunks IndexedDB gathers at most before it writes them.
 */
export function startTransferWorker(name: string, batchChunks?: () => number): FileTransfers {
  const worker = new Worker(trustedUrl(workerAddress), { name, type: "module" });
  const files = new WorkerFiles(openWire(worker, "files"));
  const remote = new WorkerTransferEngine({ port: openWire(worker, "transfers"), log: consoleLog });
  const storage = new OpfsFileStorage(
    files,
    new IndexedDbFileStorage(name, batchChunks && { batchChunks }),
    () => stop("closed"),
  );
  const engine = new BrowserTransferEngine(worker, remote, storage);

  function stop(reason: string): void {
    worker.terminate();
    const error = new WarrenError("storage-failed", { reason });
    engine.forgetWorker();
    files.fail(error);
    remote.fail(error);
  }
  // A script that does not load or throws at its start; failures later are answers to what was asked.
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    consoleLog.warn("the transfer worker failed", { reason: event.message });
    stop("the transfer worker failed");
  });
  return { storage, engine };
}

/** Uses the worker where it can. */
class BrowserTransferEngine implements TransferEngine {
  readonly #local = new LazyTransferEngine({ clock: browserClock, log: consoleLog });
  readonly #remote: WorkerTransferEngine;
  readonly #storage: OpfsFileStorage;
  readonly #worker: Worker;
  readonly #lasting = new LastingStorage(navigator.storage);
  #takesChannels: boolean | null = null;

  constructor(worker: Worker, remote: WorkerTransferEngine, storage: OpfsFileStorage) {
    this.#worker = worker;
    this.#remote = remote;
    this.#storage = storage;
  }

  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun {
    return (this.#canHandOver() ? this.#remote : this.#local).send(request, handlers);
  }

  async receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun> {
    void this.#lasting.ask();
    const inWorker = this.#canHandOver() && (await this.#storage.isInWorker(claim.description.fid));
    return (inWorker ? this.#remote : this.#local).receive(claim, handlers);
  }

  forgetWorker(): void {
    this.#takesChannels = false;
  }

  #canHandOver(): boolean {
    this.#takesChannels ??= takesChannels(this.#worker);
    return this.#takesChannels;
  }
}

/** Whether a data channel can be handed to a worker: tried with one that leads nowhere. */
function takesChannels(worker: Worker): boolean {
  const connection = new RTCPeerConnection();
  try {
    const channel = connection.createDataChannel("");
    worker.postMessage(null, [channel]);
    return true;
  } catch {
    return false;
  } finally {
    connection.close();
  }
}
