import { systemClock, TransferHost, Zstd } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { CompressionThreads } from "./compression-threads.ts";
import compressionAddress from "./compression-worker.ts?worker&url";
import { FileService } from "./file-service.ts";
import { loadZstd } from "./load-zstd.ts";
import { OpfsFiles } from "./opfs-files.ts";
import { openWire } from "./thread-wire.ts";
import { trustedUrl } from "./trusted-url.ts";

declare const self: DedicatedWorkerGlobalScope;

/** More than the network needs: one thread deflates some 50 MB/s, and zstd is four times as fast. */
const compressionThreadLimit = 3;

/** The storage folder is passed as the worker's name. */
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
  clock: systemClock,
  compressor: new CompressionThreads({
    threads: Math.min(Math.max(Math.floor(navigator.hardwareConcurrency / 2), 1), compressionThreadLimit),
    clock: systemClock,
    open: () => new Worker(trustedUrl(compressionAddress), { name: "compression", type: "module" }),
  }),
  zstd: new Zstd(loadZstd),
});
