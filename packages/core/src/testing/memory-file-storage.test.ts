import { describeFileStorage } from "./contracts/describe-file-storage.ts";
import { MemoryFileStorage } from "./memory-file-storage.ts";

const storage = new MemoryFileStorage();
describeFileStorage("Memory", async () => storage);
