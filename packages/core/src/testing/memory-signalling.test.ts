import { describeSignallingBackend } from "./contracts/describe-signalling-backend.ts";
import { MemorySignalling } from "./memory-signalling.ts";

describeSignallingBackend("memory", async () => {
  const signalling = new MemorySignalling();
  return { page: () => signalling, close: () => {} };
});
