import { expect, it } from "vitest";
import { fakeCall, remoteSource } from "../../testing/fake-call.ts";
import { cornerSizeOf, focusedItem, gridOf, pairOf, shapesOf, stageItems } from "./stage-items.ts";

const ada = "ada";
const bo = "bo";
const nothing = {
  local: [],
  audience: null,
  remote: [],
  isAudioEnabled: false,
  isVideoEnabled: true,
  speaking: [],
  sinceMs: null,
};

it("has screens first, then one tile per person, whatever they share", () => {
  const items = stageItems({
    ...nothing,
    remote: [
      remoteSource({ from: ada, kind: "microphone" }),
      remoteSource({ from: bo, kind: "camera" }),
      remoteSource({ from: bo, kind: "screen", id: "first" }),
      remoteSource({ from: bo, kind: "screen-sound", id: "sound", screen: "bo/first" }),
      remoteSource({ from: bo, kind: "screen", id: "second" }),
    ],
  });
  expect(items.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
    "screen bo/first",
    "screen bo/second",
    "person ada",
    "person bo",
  ]);
  expect(items.map(({ sound }) => sound?.key ?? null)).toEqual(["bo/sound", null, expect.any(String), null]);
});

it("has no tile for someone who only shares a screen, nor for me before I share anything", () => {
  const items = stageItems({ ...nothing, remote: [remoteSource({ from: ada, kind: "screen" })] });
  expect(items.map(({ kind }) => kind)).toEqual(["screen"]);
});

it("has a tile for the other one of a call of two before they share anything", () => {
  expect(stageItems(nothing, ada)).toMatchObject([{ id: ada, kind: "person", picture: null, sound: null }]);
});

it("is a pair with one other person who shares no screen", () => {
  const pair = (...remote: Parameters<typeof remoteSource>[0][]) =>
    pairOf(stageItems({ ...nothing, remote: remote.map(remoteSource) }))?.large.id ?? null;
  expect(pair({ from: ada, kind: "camera" }, { from: ada, kind: "microphone" })).toBe(ada);
  expect(pair()).toBe(null);
  expect(pair({ from: ada, kind: "camera" }, { from: bo, kind: "microphone" })).toBe(null);
  expect(pair({ from: ada, kind: "camera" }, { from: ada, kind: "screen" })).toBe(null);
  expect(pair({ from: ada, kind: "screen" })).toBe(null);
});

it("is large alone, unless a screen is shared", () => {
  const { call } = fakeCall();
  const track = {} as MediaStreamTrack;
  call.share({ kind: "camera", track });
  expect(pairOf(stageItems(call.store.getState()))).toMatchObject({ large: { id: "me" }, mine: [] });
  call.share({ kind: "screen", track });
  expect(pairOf(stageItems(call.store.getState()))).toBe(null);
});

it("shows the middle of a face's picture, however its tile is shaped", () => {
  const shapes = shapesOf({ width: 1600, height: 900 });
  expect(shapes?.widest).toBeCloseTo(3.16, 2);
  expect(shapes?.highest).toBeCloseTo(3 / 4, 2);
  expect(shapesOf({ width: 0, height: 0 })).toBe(null);
});

it("makes one's own picture small, in its own shape unless that is extreme", () => {
  const stage = { width: 1344, height: 700 };
  expect(cornerSizeOf({ width: 1280, height: 720 }, stage)).toEqual({ width: 248, height: 140 });
  expect(cornerSizeOf({ width: 720, height: 1280 }, stage)).toEqual({ width: 186, height: 248 });
  expect(cornerSizeOf({ width: 0, height: 0 }, { width: 366, height: 300 })).toEqual({
    width: 120,
    height: 68,
  });
});

it("focuses the chosen item, otherwise the newest screen of someone else", () => {
  const items = stageItems({
    ...nothing,
    remote: [
      remoteSource({ from: ada, kind: "camera" }),
      remoteSource({ from: ada, kind: "screen", id: "one" }),
      remoteSource({ from: bo, kind: "screen", id: "two" }),
    ],
  });
  expect(focusedItem(items, null)?.id).toBe("bo/two");
  expect(focusedItem(items, "ada")?.id).toBe("ada");
  expect(focusedItem(items, "grid")).toBe(null);
  // The focused screen has ended.
  expect(focusedItem(items, "gone")?.id).toBe("bo/two");
});

it.each([
  ["wide", 1344, 700, [1, 2, 2, 2, 3, 3, 4, 4, 3]],
  ["high", 366, 690, [1, 1, 1, 2, 2, 2, 2, 2, 2]],
  ["low", 740, 316, [1, 2, 3, 2, 3, 3, 4, 4, 5]],
] as const)("lays tiles out in columns on a %s stage", (_, width, height, columns) => {
  expect(columns.map((__, index) => gridOf(index + 1, width, height, 12).columns)).toEqual(columns);
});

it("never makes tiles larger than the stage, nor of a shape that crops a face", () => {
  for (const [width, height, least] of [
    [900, 500, 4 / 3],
    [366, 690, 3 / 4],
  ] as const) {
    for (let count = 1; count <= 40; count++) {
      const { columns, tileWidth, tileHeight } = gridOf(count, width, height, 12);
      const rows = Math.ceil(count / columns);
      expect(columns * tileWidth + (columns - 1) * 12).toBeLessThanOrEqual(width);
      expect(rows * tileHeight + (rows - 1) * 12).toBeLessThanOrEqual(height);
      // Edges are whole pixels.
      expect((tileWidth + 1) / tileHeight).toBeGreaterThanOrEqual(least);
      expect(tileWidth / (tileHeight + 1)).toBeLessThanOrEqual(16 / 9);
    }
  }
});
