import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isOutOfDate } from "./built.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-built-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * @param {string} path
 * @param {number} timeS
 */
function write(path, timeS) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  utimesSync(file, timeS, timeS);
  for (let parent = dirname(file); parent !== folder; parent = dirname(parent)) utimesSync(parent, 1, 1);
}

const check = () => isOutOfDate(join(folder, "app/dist/main.js"), [join(folder, "app")]);

test("requires a build if there is none", () => {
  write("app/src/main.ts", 100);
  expect(check()).toBe(true);
});

test("does not rebuild an output that is newer than its sources", () => {
  write("app/src/main.ts", 100);
  write("app/dist/main.js", 200);
  expect(check()).toBe(false);
});

test("requires a build if a source at any depth is newer", () => {
  write("app/dist/main.js", 200);
  write("app/src/deep/part.ts", 300);
  expect(check()).toBe(true);
});

test("ignores tests, installed packages and other outputs", () => {
  write("app/dist/main.js", 200);
  write("app/src/main.test.ts", 300);
  write("app/node_modules/part/index.js", 300);
  write("app/dist/other.js", 300);
  expect(check()).toBe(false);
});
