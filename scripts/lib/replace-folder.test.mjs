import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import { replaceFolder } from "./replace-folder.mjs";

/** @type {string} */
let folder;
const at = (/** @type {string[]} */ ...names) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-replace-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {Readonly<Record<string, string>>} files */
function make(name, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(at(name, path, ".."), { recursive: true });
    writeFileSync(at(name, path), text);
  }
}

it("leaves what is fresh, and what is kept", () => {
  make("old", { a: "1", "sub/b": "1", "gone/c": "1", d: "1", mark: "1" });
  make("fresh", { a: "2", "sub/b": "2", "new/e": "2" });
  replaceFolder(at("old"), at("fresh"), (name) => name === "mark");
  expect(readdirSync(at("old"), { recursive: true }).sort()).toEqual(
    ["a", "mark", "new", "new/e", "sub", "sub/b"].sort(),
  );
  for (const path of ["a", "sub/b", "new/e"]) expect(readFileSync(at("old", path), "utf8")).toBe("2");
});

it("never leaves a moment in which a file is missing that both have", async () => {
  const names = Array.from({ length: 40 }, (_, number) => `file-${number}`);
  const files = Object.fromEntries(names.map((name) => [name, name]));
  make("old", files);
  const isOver = new Int32Array(new SharedArrayBuffer(4));
  const source = `
    const { existsSync } = require("node:fs");
    const { parentPort, workerData: { paths, isOver } } = require("node:worker_threads");
    parentPort.postMessage("ready");
    let missing = 0;
    do for (const path of paths) if (!existsSync(path)) missing++;
    while (Atomics.load(isOver, 0) === 0);
    parentPort.postMessage(missing);`;
  const paths = [...names.slice(0, 5), ...names.slice(-5)].map((name) => at("old", name));
  const watch = new Worker(source, { eval: true, workerData: { paths, isOver } });
  const next = () => new Promise((resolve) => watch.once("message", resolve));
  expect(await next()).toBe("ready");
  for (let round = 0; round < 2; round++) {
    make("fresh", files);
    replaceFolder(at("old"), at("fresh"));
  }
  Atomics.store(isOver, 0, 1);
  expect(await next()).toBe(0);
  expect(existsSync(at("old", "file-0"))).toBe(true);
});
