import { expect, it } from "vitest";
import { remoteSource } from "../../testing/fake-call.ts";
import { focusedItem, gridOf, stageItems } from "./stage-items.ts";

const ada = "ada";
const bo = "bo";
const nothing = {
  local: [],
  audience: null,
  remote: [],
  isAudioEnabled: false,
  isVideoEnabled: true,
  speaking: [],
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
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 2],
  [5, 3],
  [9, 3],
])("lays %i tiles out in %i columns on a wide stage", (count, columns) => {
  expect(gridOf(count, 1344, 700, 12).columns).toBe(columns);
});

it("never makes tiles larger than the stage", () => {
  for (let count = 1; count <= 40; count++) {
    const { columns, tileWidth } = gridOf(count, 900, 500, 12);
    const rows = Math.ceil(count / columns);
    expect(columns * tileWidth + (columns - 1) * 12).toBeLessThanOrEqual(900);
    expect((rows * tileWidth * 9) / 16 + (rows - 1) * 12).toBeLessThanOrEqual(500.5);
  }
});
