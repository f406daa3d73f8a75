import { describeRecordStorage } from "../../testing/contracts/describe-record-storage.ts";
import { MemoryRecordStorage } from "./memory-record-storage.ts";

describeRecordStorage(
  "memory",
  async () => new MemoryRecordStorage(),
  async (storage) => storage,
);
