import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { TransferBoard } from "./transfer-board.ts";
import { type TransferSnapshot, transferKeyOf } from "./transfer-state.ts";

const peerId = "00000000-0000-4000-8000-00000000000a";
const fid = "some-file-id";
const key = transferKeyOf(peerId, fid);
const shown = { key, peerId, fid, mode: "receive", fileName: "a", totalBytes: 10_000 } as const;

describe("the transfer board", () => {
  let clock: FakeClock;
  let board: TransferBoard;
  let bytes: number;
  let published: TransferSnapshot[];
  beforeEach(() => {
    clock = new FakeClock();
    board = new TransferBoard(clock);
    bytes = 0;
    published = [];
    board.begin(shown, () => bytes);
    board.store.subscribe((state) => {
      const transfer = state[key];
      if (transfer) published.push(transfer);
    });
  });
  const flow = async (ms: number, bytesPerMs: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      bytes += 20 * bytesPerMs;
      await clock.advance(20);
    }
  };

  it("publishes twice a second at most, however often bytes move", async () => {
    await flow(1_000, 1);
    expect(published).toHaveLength(2);
    expect(published.at(-1)?.transferredBytes).toBe(1_000);
  });

  it("publishes nothing while nothing changes", async () => {
    await clock.advance(5_000);
    expect(published).toEqual([]);
  });

  it("shows speed and time left once there are two seconds of data", async () => {
    await flow(1_900, 2);
    expect(published.every(({ bytesPerSecond }) => bytesPerSecond === null)).toBe(true);
    await flow(600, 2);
    expect(published.at(-1)).toMatchObject({ bytesPerSecond: 2_000, secondsLeft: 2.5 });
  });

  it("shows the share of merging, and neither share nor speed at the end", async () => {
    board.merging(key, 0.5);
    await clock.advance(500);
    expect(published.at(-1)?.mergingShare).toBe(0.5);
    board.finish(key, { status: "complete", verified: true });
    expect(board.store.getState()[key]).toMatchObject({
      state: { status: "complete", verified: true },
      transferredBytes: 10_000,
      mergingShare: null,
      bytesPerSecond: null,
    });
    expect(clock.timerCount).toBe(0);
  });

  it("keeps the bytes reached when a transfer stops", () => {
    bytes = 700;
    board.finish(key, { status: "paused", by: "me" });
    expect(board.store.getState()[key]).toMatchObject({
      transferredBytes: 700,
      state: { status: "paused", by: "me" },
    });
  });
});
