import { expect, test } from "vitest";
import { isSupportedNode } from "./node-version.mjs";

test.each([
  ["18.20.0", false],
  ["20.18.3", false],
  ["20.19.0", true],
  ["20.20.2", true],
  ["22.0.0", true],
])("Node %s is supported: %s", (version, expected) => {
  expect(isSupportedNode(version)).toBe(expected);
});
