import type { FileId, WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Lazy } from "../shared/lazy.ts";
import type { Log } from "../shared/log.ts";
import type { EngineChoice, TransferEngine } from "./engine/transfer-engine.ts";
import type { HostMessage, RunEvent, ThreadPort } from "./engine/transfer-messages.ts";
import { WorkerTransferEngine } from "./engine/worker-transfer-engine.ts";
import type { TransferMode } from "./transfer-state.ts";

/** A worker of the page that runs a `TransferHost`. */
export interface TransferWorker {
  readonly port: ThreadPort<HostMessage, RunEvent>;
  /** Resolves with the reason once it is gone. */
  readonly gone: Promise<WarrenError>;
  /** Whether it can move the bytes of a file. */
  moves(mode: TransferMode, fid: FileId): Promise<boolean>;
}

/** Moves bytes in the worker where that is possible, otherwise in this thread, whose engine is loaded at its first use. */
export function engineChoice(
  worker: TransferWorker | undefined,
  parts: { readonly clock: Clock; readonly log: Log },
): EngineChoice {
  const local = new Lazy<TransferEngine>(parts.clock, async () => {
    const { LocalTransferEngine } = await import("./engine/local-transfer-engine.ts");
    return () => new LocalTransferEngine(parts);
  });
  if (!worker) return () => local.load();
  const remote = new WorkerTransferEngine(worker.port, parts.clock);
  void worker.gone.then((error) => remote.fail(error));
  return async (mode, fid) => (!remote.isStalled && (await worker.moves(mode, fid)) ? remote : local.load());
}
