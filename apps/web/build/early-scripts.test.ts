import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { builtPublicFile } from "./early-scripts.ts";

const pathOf = (name: string): string => fileURLToPath(new URL(`../public/${name}`, import.meta.url));

it("makes the check of the browser smaller, without syntax that old browsers do not parse", () => {
  const code = String(builtPublicFile(pathOf("unsupported.js")));
  expect(code.length).toBeLessThan(readFileSync(pathOf("unsupported.js")).length);
  expect(code).not.toMatch(/`|=>|\b(?:let|const)\b/);
});

it("leaves other public files as they are", () => {
  expect(builtPublicFile(pathOf("icon-192.png"))).toEqual(readFileSync(pathOf("icon-192.png")));
});
