import { toWarrenError, WarrenError } from "@warren/protocol";
import type { Clock } from "../../ports/clock.ts";
import type { RecordStorage } from "../../ports/record-storage.ts";
import { settledInTime } from "../stall-watch.ts";

/**
 * Storage whose every answer comes in time, or rejects with `storage-failed`: a browser may leave one out for ever, and what
 * is done one after another would wait for it. A write that was given up may still take place.
 */
export function answeredRecords(storage: RecordStorage, clock: Clock): RecordStorage {
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await settledInTime(clock, "store", answer);
    } catch (thrown) {
      if (toWarrenError(thrown).code !== "transfer-stalled") throw thrown;
      throw new WarrenError("storage-failed", { reason: "no answer" }, { cause: thrown });
    }
  };
  return {
    list: (...args) => inTime(storage.list(...args)),
    get: (...args) => inTime(storage.get(...args)),
    about: (...args) => inTime(storage.about(...args)),
    countAfter: (...args) => inTime(storage.countAfter(...args)),
    groups: () => inTime(storage.groups()),
    write: (...args) => inTime(storage.write(...args)),
    addIfAbsent: (...args) => inTime(storage.addIfAbsent(...args)),
    deleteGroups: (...args) => inTime(storage.deleteGroups(...args)),
    close: () => storage.close(),
  };
}
