import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { defaultOptions } from "../../settings/options.ts";
import { FakeClock, settle } from "../../testing/fake-clock.ts";
import { MemoryFileStorage } from "../../testing/memory-file-storage.ts";
import { createThreadPair } from "../../testing/thread-pair.ts";
import { TransferHost } from "./transfer-host.ts";
import type { HostMessage, RunEvent } from "./transfer-messages.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

it("holds a file as long as a transfer sends it, and no longer", async () => {
  const { page, worker } = createThreadPair<HostMessage, RunEvent>();
  new TransferHost({ port: worker, storage: new MemoryFileStorage(), clock: new FakeClock() });
  const send = (run: number, blob: Blob) => {
    const head = { fid: "the-file", fileName: "a.bin", fileSize: blob.size, mimeType: "", lastModified: 0 };
    const description = { ...head, chunkSize: 65_536 };
    const source = {
      location: "page",
      root: null,
      source: 7,
      blob,
      digests: new Map(),
      earlier: new Map(),
    } as const;
    page.post({ type: "send", run, peerId: "a-peer", description, ...source, options: defaultOptions });
  };
  const isHeld = async () => {
    await settle();
    collectGarbage();
    return held.deref() !== undefined;
  };
  const held = new WeakRef(new Blob([new Uint8Array(100)]));
  for (const run of [1, 2]) send(run, held.deref() ?? expect.fail());
  page.post({ type: "close", run: 1 });
  expect(await isHeld()).toBe(true);
  page.post({ type: "close", run: 2 });
  expect(await isHeld()).toBe(false);
});
