import type { Clock } from "../ports/clock.ts";
import { Lazy } from "../shared/lazy.ts";
import type { Log } from "../shared/log.ts";
import type { TransferEngine } from "./transfer-engine.ts";

/** The engine of this thread. Its code is loaded with the first file, because most pages use a worker instead. */
export function engineOfThisThread(parts: {
  readonly clock: Clock;
  readonly log?: Log | undefined;
}): () => Promise<TransferEngine> {
  const engine = new Lazy<TransferEngine>(async () => {
    const { LocalTransferEngine } = await import("./local-transfer-engine.ts");
    return new LocalTransferEngine(parts);
  });
  return () => engine.load();
}
