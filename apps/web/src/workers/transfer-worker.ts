import { TransferHost } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { DeflateThreads } from "./deflate-threads.ts";
import deflateAddress from "./deflate-worker.ts?worker&url";
import { FileService } from "./file-service.ts";
import { OpfsFiles } from "./opfs-files.ts";
import { threadClock } from "./thread-clock.ts";
import { openWire } from "./thread-wire.ts";
import { trustedUrl } from "./trusted-url.ts";

declare const self: DedicatedWorkerGlobalScope;

/** More than the wire can take: one deflates some 50 MB/s. */
const deflateThreadLimit = 3;

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
  deflater: new DeflateThreads({
    threads: Math.min(Math.max(Math.floor(navigator.hardwareConcurrency / 2), 1), deflateThreadLimit),
    clock: threadClock,
    open: () => new Worker(trustedUrl(deflateAddress), { name: "deflate", type: "module" }),
  }),
});
