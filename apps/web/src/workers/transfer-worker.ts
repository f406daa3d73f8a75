import { TransferHost } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { FileService } from "./file-service.ts";
import { OpfsFiles } from "./opfs-files.ts";
import { threadClock } from "./thread-clock.ts";
import { openWire } from "./thread-wire.ts";

declare const self: DedicatedWorkerGlobalScope;

/** The folder files are kept in: what a page's worker is named. */
const opening = OpfsFiles.open(self.name);

async function files(): Promise<OpfsFiles> {
  const opened = await opening;
  if (!opened) throw new WarrenError("storage-failed", { reason: "unsupported" });
  return opened;
}

new FileService(openWire(self, "files"), opening);
new TransferHost({
  port: openWire(self, "transfers"),
  storage: {
    readDigests: async (fid) => (await files()).readDigests(fid),
    openSink: async (fid, layout) => (await files()).openSink(fid, layout),
  },
  clock: threadClock,
});
