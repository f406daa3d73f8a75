import { type LaneId, toWarrenError } from "@warren/protocol";
import type { FileClaim } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../shared/log.ts";
import type { TransferEngine } from "./transfer-engine.ts";
import type { SendRequest, TransferRun, TransferRunHandlers } from "./transfer-run.ts";

/** Moves bytes in this thread, with code that is loaded when there are any: most pages leave that to a worker. */
export class LazyTransferEngine implements TransferEngine {
  readonly #load: () => Promise<TransferEngine>;
  #loading: Promise<TransferEngine> | null = null;
  #engine: TransferEngine | null = null;

  constructor(parts: { readonly clock: Clock; readonly log?: Log | undefined }) {
    this.#load = async () => {
      const { LocalTransferEngine } = await import("./transfer-engine.ts");
      return new LocalTransferEngine(parts);
    };
  }

  /** The sender speaks second on a transfer's channels, so nothing is lost while its code is on the way. */
  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun {
    if (this.#engine) return this.#engine.send(request, handlers);
    const { channels } = request;
    let run: TransferRun | null = null;
    let isClosed = false;
    /** Those of lanes that were opened meanwhile. */
    const added = new Map<RTCDataChannel, LaneId | null>();
    const begun = this.#get().then(
      (engine) => {
        if (isClosed) return;
        run = engine.send(request, handlers);
        for (const [channel, lane] of added) run.addChannel(channel, lane);
      },
      (thrown: unknown) => {
        if (!isClosed) handlers.onError(toWarrenError(thrown, "transferer-not-initialized"));
      },
    );
    return {
      mode: "send",
      get channelCount() {
        return run?.channelCount ?? channels.length;
      },
      get isOver() {
        return run?.isOver ?? false;
      },
      transferredBytes: () => run?.transferredBytes() ?? 0,
      addChannel: (channel, lane) => {
        if (run) run.addChannel(channel, lane);
        else added.set(channel, lane);
      },
      leaveLane: (lane, isLost) => {
        run?.leaveLane(lane, isLost);
        for (const [channel, its] of added) {
          if (its !== lane) continue;
          added.delete(channel);
          channel.close();
        }
      },
      close: async () => {
        isClosed = true;
        await begun;
        if (run) await run.close();
        else for (const channel of [...channels, ...added.keys()]) channel.close();
      },
    };
  }

  async receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun> {
    let engine: TransferEngine;
    try {
      engine = await this.#get();
    } catch (error) {
      claim.abandon();
      throw error;
    }
    return engine.receive(claim, handlers);
  }

  async #get(): Promise<TransferEngine> {
    this.#loading ??= this.#load();
    try {
      this.#engine = await this.#loading;
      return this.#engine;
    } catch (error) {
      // Fetching it can fail while offline; the next transfer tries again.
      this.#loading = null;
      throw error;
    }
  }
}
