import { expect, it } from "vitest";
import { clampZoom, zoomedAt } from "./use-zoom.ts";

it("keeps the point below the pointer in place", () => {
  const zoom = zoomedAt({ scale: 1, x: 0, y: 0 }, 2, 100, -50);
  // The point at (100, -50) is scaled to twice that, and the picture is moved back by as much.
  expect(100 * zoom.scale + zoom.x).toBe(100);
  expect(-50 * zoom.scale + zoom.y).toBe(-50);
});

it("keeps the picture within its box, and the scale between 1 and 8", () => {
  expect(clampZoom({ scale: 2, x: 900, y: -900 }, 800, 400)).toEqual({ scale: 2, x: 400, y: -200 });
  expect(clampZoom({ scale: 0.2, x: 50, y: 50 }, 800, 400)).toEqual({ scale: 1, x: 0, y: 0 });
  expect(clampZoom({ scale: 99, x: 0, y: 0 }, 800, 400).scale).toBe(8);
});
