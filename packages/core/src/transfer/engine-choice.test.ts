import { WarrenError } from "@warren/protocol";
import { expect, it } from "vitest";
import { FileLibrary } from "../files/file-library.ts";
import { defaultOptions } from "../settings/options.ts";
import { silentLog } from "../shared/log.ts";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { fileOf, noise } from "../testing/file-peers.ts";
import { MemoryFileStorage } from "../testing/memory-file-storage.ts";
import { createThreadPair } from "../testing/thread-pair.ts";
import { LocalTransferEngine } from "./engine/local-transfer-engine.ts";
import type { RunReport } from "./engine/transfer-engine.ts";
import type { HostMessage, RunEvent } from "./engine/transfer-messages.ts";
import { engineChoice } from "./engine-choice.ts";
import { requireSource } from "./transfer.ts";

const clock = new FakeClock();
const parts = { clock, log: silentLog };

it("moves bytes in this thread without a worker, and where the worker cannot", async () => {
  const { page } = createThreadPair<HostMessage, RunEvent>();
  const gone = new Promise<WarrenError>(() => {});
  const worker = { port: page, gone, moves: async () => false };
  expect(await engineChoice(undefined, parts)("send", "a")).toBeInstanceOf(LocalTransferEngine);
  expect(await engineChoice(worker, parts)("send", "a")).toBeInstanceOf(LocalTransferEngine);
});

it("moves bytes in the worker, and ends what it moves with the reason once it is gone", async () => {
  const { page, worker: thread } = createThreadPair<HostMessage, RunEvent>();
  const posted: string[] = [];
  thread.on("message", ({ type }) => posted.push(type));
  let end = (_reason: WarrenError): void => {};
  const gone = new Promise<WarrenError>((resolve) => {
    end = resolve;
  });
  const choose = engineChoice({ port: page, gone, moves: async () => true }, parts);
  const library = new FileLibrary({ storage: new MemoryFileStorage(), clock });
  const description = library.addSource(fileOf(noise(1_000)), 64 * 1024);
  const engine = await choose("send", description.fid);
  const source = requireSource(library, description);
  const run = engine.send({ peerId: "peer", description, source, blob: null, options: defaultOptions });
  const reports: RunReport[] = [];
  run.on("report", (report) => reports.push(report));
  await settle();
  expect(posted).toContain("send");
  const error = new WarrenError("storage-failed", { reason: "the transfer worker failed" });
  end(error);
  await settle();
  expect(reports).toEqual([{ type: "error", error: error.describe() }]);
});
