import { WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../shared/log.ts";
import type { TransferEngine } from "./transfer-engine.ts";

/** The engine of this thread. Its code is loaded with the first file, because most pages use a worker instead. */
export function engineOfThisThread(parts: {
  readonly clock: Clock;
  readonly log?: Log | undefined;
}): () => Promise<TransferEngine> {
  let loading: Promise<TransferEngine> | null = null;
  const load = async (): Promise<TransferEngine> => {
    try {
      const { LocalTransferEngine } = await import("./local-transfer-engine.ts");
      return new LocalTransferEngine(parts);
    } catch (cause) {
      // Loading can fail while offline; the next transfer tries again.
      loading = null;
      throw new WarrenError("transferer-not-initialized", {}, { cause });
    }
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
