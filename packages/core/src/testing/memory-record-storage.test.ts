import { describeRecordStorage } from "./contracts/describe-record-storage.ts";
import { MemoryRecordStorage } from "./memory-record-storage.ts";

describeRecordStorage("memory", async () => new MemoryRecordStorage());
