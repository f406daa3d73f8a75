import { type FileDescription, WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FileLibrary } from "../files/file-library.ts";
import { defaultOptions } from "../settings/options.ts";
import { Emitter } from "../shared/emitter.ts";
import { createStore } from "../shared/store.ts";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { createFakeChannelPair } from "../testing/fake-data-channel.ts";
import { fileOf, noise } from "../testing/file-peers.ts";
import { MemoryFileStorage } from "../testing/memory-file-storage.ts";
import type { RunReport, TransferEngine, TransferRun, TransferRunEvents } from "./engine/transfer-engine.ts";
import type { TransferState } from "./offer-state.ts";
import { TransferService } from "./transfer-service.ts";
import { type TransferSnapshot, type TransferSnapshots, transferKeyOf } from "./transfer-state.ts";

const peerId = "00000000-0000-4000-8000-00000000000a";

let clock: FakeClock;
let library: FileLibrary;
/** The progress reported by the engine. */
let bytes: number;
let run: Emitter<TransferRunEvents> | null;
let channels: RTCDataChannel[];
let states: TransferState[];
/** The limit that a call sets for the client. */
let pace: number | null;
/** The limits that the engine was given. */
let paces: (number | null)[];

const moving: TransferEngine = {
  send: () => start(),
  receive: async (claim) => {
    claim.abandon();
    return start();
  },
};

function start(): TransferRun {
  const events = new Emitter<TransferRunEvents>();
  run = events;
  return {
    on: events.on.bind(events),
    channelCount: 1,
    isOver: false,
    get transferredBytes() {
      return bytes;
    },
    addChannel: () => {},
    setPace: (bytesPerSecond) => paces.push(bytesPerSecond),
    leaveLane: () => {},
    close: async () => {},
  };
}

const report = (reported: RunReport) => run?.emit("report", reported);

function createService(engine: () => Promise<TransferEngine>): TransferService {
  const service = new TransferService({
    store: createStore<TransferSnapshots>(new Map()),
    channels: {
      open: (_peerId, label) => {
        const { local } = createFakeChannelPair({ label });
        channels.push(local);
        return local;
      },
      lanesTo: () => [],
      on: () => () => {},
    },
    paceTo: () => pace,
    options: () => defaultOptions,
    ...{ library, clock, engine },
  });
  service.on("state", (_key, state) => states.push(state));
  return service;
}

beforeEach(() => {
  clock = new FakeClock();
  library = new FileLibrary({ storage: new MemoryFileStorage(), clock });
  bytes = 0;
  run = null;
  channels = [];
  states = [];
  pace = null;
  paces = [];
});

describe("a transfer whose engine is still being loaded", () => {
  let description: FileDescription;
  let provide: (engine: TransferEngine | Promise<never>) => void;
  let service: TransferService;
  beforeEach(() => {
    description = library.addSource(fileOf(noise(10)), 64 * 1024);
    const loading = new Promise<TransferEngine>((resolve) => {
      provide = resolve;
    });
    service = createService(() => loading);
    service.send(peerId, description);
  });

  it("opens its channels only then, so that an immediate request of the receiver is not lost", async () => {
    await settle();
    expect(channels).toEqual([]);
    provide(moving);
    await settle();
    expect(channels).toHaveLength(1);
    expect(run).not.toBeNull();
    await service.close();
  });

  it("opens and reports nothing if it was cancelled by then", async () => {
    service.drop(transferKeyOf(peerId, description.fid), { state: "withdrawn" });
    provide(moving);
    await settle();
    expect(channels).toEqual([]);
    expect(run).toBeNull();
    expect(states).toEqual([{ state: "withdrawn" }]);
  });

  it("reports a loading failure, and can be retried", async () => {
    provide(Promise.reject(new WarrenError("app-code-missing")));
    await settle();
    expect(states).toMatchObject([{ error: { code: "app-code-missing" } }]);
    expect(service.stateOf(transferKeyOf(peerId, description.fid))).toBeUndefined();
    expect(clock.timerCount).toBe(0);
  });
});

it("breaks off if storage does not open a file, and can then be resumed", async () => {
  const description = library.addSource(fileOf(noise(10)), 64 * 1024);
  const source = library.sourceOf(description.fid) ?? expect.fail("no source");
  const opening = vi.spyOn(source, "blob").mockReturnValue(new Promise(() => {}));
  const service = createService(async () => moving);
  service.send(peerId, description);
  await clock.advance(30_000);
  expect(states).toMatchObject([{ state: "accepted" }]);
  opening.mockRestore();
  service.send(peerId, description);
  await settle();
  expect(channels).toHaveLength(1);
  await service.close();
});

describe("a file sent beside a call", () => {
  it("starts at the pace of its client and follows it", async () => {
    const description = library.addSource(fileOf(noise(10)), 64 * 1024);
    const service = createService(async () => moving);
    pace = 1_000;
    service.send(peerId, description);
    await settle();
    expect(paces).toEqual([1_000]);
    pace = null;
    service.paceChanged(peerId);
    expect(paces).toEqual([1_000, null]);
    await service.close();
  });
});

describe("the published state of a transfer", () => {
  const description: FileDescription = {
    ...{ fid: "some-file-id", fileName: "a", fileSize: 10_000, chunkSize: 65_536 },
    ...{ mimeType: "", lastModified: 0 },
  };
  const key = transferKeyOf(peerId, description.fid);
  let service: TransferService;
  let published: TransferSnapshot[];
  beforeEach(async () => {
    service = createService(async () => moving);
    await service.expect(peerId, description);
    report({ type: "open" });
    published = [];
    service.store.subscribe((state) => {
      const transfer = state.get(key);
      if (transfer) published.push(transfer);
    });
  });
  const flow = async (ms: number, bytesPerMs: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      bytes += 20 * bytesPerMs;
      await clock.advance(20);
    }
  };

  it("is published twice a second at most, however often bytes move", async () => {
    await flow(1_000, 1);
    expect(published).toHaveLength(2);
    expect(published.at(-1)?.transferredBytes).toBe(1_000);
  });

  it("is shown to move only if it is not over before", async () => {
    await clock.advance(100);
    expect(service.stateOf(key)).toEqual({ state: "running" });
    report({ type: "complete" });
    expect(published.map(({ now }) => now.state)).toEqual(["complete"]);
  });

  it("is shown to move although no byte has", async () => {
    await clock.advance(500);
    expect(published.map(({ now }) => now.state)).toEqual(["running"]);
  });

  it("is not published while nothing changes", async () => {
    await clock.advance(500);
    published = [];
    await clock.advance(5_000);
    expect(published).toEqual([]);
  });

  it("has speed and time left once there are two seconds of data", async () => {
    await flow(1_900, 2);
    expect(published.every(({ bytesPerSecond }) => bytesPerSecond === null)).toBe(true);
    await flow(600, 2);
    expect(published.at(-1)).toMatchObject({ bytesPerSecond: 2_000, secondsLeft: 2.5 });
  });

  it("has the progress of merging, and neither progress nor speed at the end", async () => {
    report({ type: "merging", progress: 0.5 });
    await clock.advance(500);
    expect(published.at(-1)?.mergingProgress).toBe(0.5);
    report({ type: "complete" });
    await settle();
    expect(service.store.getState().get(key)).toMatchObject({
      now: { state: "complete" },
      transferredBytes: 10_000,
      mergingProgress: null,
      bytesPerSecond: null,
    });
    expect(clock.timerCount).toBe(0);
  });

  it("keeps its byte count when it stops", async () => {
    bytes = 700;
    service.stop(key, { state: "pausedHere" });
    await settle();
    expect(service.store.getState().get(key)).toMatchObject({
      transferredBytes: 700,
      now: { state: "pausedHere" },
    });
  });
});
