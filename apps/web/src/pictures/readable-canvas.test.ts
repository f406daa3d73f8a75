import * as fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { stubCanvas } from "../testing/fake-canvas.ts";
import { readableCanvas } from "./readable-canvas.ts";

afterEach(() => void vi.unstubAllGlobals());

const sides = [
  [128, 128],
  [480, 117],
  [3, 1],
  [1, 1],
] as const;

it.each(sides)(
  "is empty and ready to draw on where %i×%i pixels are read as they were drawn",
  (width, height) => {
    stubCanvas((drawn) => drawn);
    const { canvas, context } = readableCanvas(width, height);
    expect([canvas.width, canvas.height]).toEqual([width, height]);
    expect(context.getImageData(0, 0, width, height).data.every((channel) => channel === 0)).toBe(true);
  },
);

it("may flip the last bits of pixels, which nobody sees", () => {
  stubCanvas((drawn) => drawn.map((channel, at) => channel ^ (at % 2)));
  expect(() => readableCanvas(128, 128)).not.toThrow();
});

it.each([
  ["white", (drawn) => drawn.map(() => 255)],
  ["black", (drawn) => drawn.map(() => 0)],
  [
    "one pixel of another colour",
    (drawn) => drawn.map((channel, at) => (at === 37 ? channel ^ 0x40 : channel)),
  ],
  [
    "an exception",
    () => {
      throw new DOMException("no", "SecurityError");
    },
  ],
] satisfies [string, Parameters<typeof stubCanvas>[0]][])(
  "is refused where reading gives %s",
  (_what, read) => {
    stubCanvas(read);
    expect(() => readableCanvas(128, 128)).toThrow(expect.objectContaining({ code: "canvas-unreadable" }));
  },
);

it("is refused where reading gives noise", () => {
  fc.assert(
    fc.property(fc.uint8ClampedArray({ minLength: 4 * 16 * 16, maxLength: 4 * 16 * 16 }), (noise) => {
      stubCanvas(() => Uint8ClampedArray.from(noise));
      expect(() => readableCanvas(128, 128)).toThrow(expect.objectContaining({ code: "canvas-unreadable" }));
    }),
  );
});

it("is tried before each use, since a person may permit or forbid reading meanwhile", () => {
  let isPermitted = false;
  stubCanvas((drawn) => (isPermitted ? drawn : drawn.map(() => 255)));
  expect(() => readableCanvas(8, 8)).toThrow(expect.objectContaining({ code: "canvas-unreadable" }));
  isPermitted = true;
  expect(() => readableCanvas(8, 8)).not.toThrow();
  isPermitted = false;
  expect(() => readableCanvas(8, 8)).toThrow(expect.objectContaining({ code: "canvas-unreadable" }));
});

it("is missing where the browser has no context", () => {
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });
  expect(() => readableCanvas(8, 8)).toThrow(expect.objectContaining({ code: "no-canvas-context" }));
});
