import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { precompress } from "./precompress.mjs";

const page = "<!doctype html>".repeat(50);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "warren-precompress-"));
  await mkdir(join(folder, "assets"));
});
afterEach(() => rm(folder, { recursive: true }));

it("writes brotli and gzip beside what is smaller that way, and nothing beside pictures", async () => {
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "assets/icon.png"), page);
  await writeFile(join(folder, "assets/tiny.js"), "1");
  await writeFile(join(folder, "assets/tiny.js.br"), "of an earlier build");
  expect(await precompress(folder)).toMatchObject({ files: 2, bytes: page.length + 1 });
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    "assets",
    "assets/icon.png",
    "assets/tiny.js",
    "index.html",
    "index.html.br",
    "index.html.gz",
  ]);
  expect(brotliDecompressSync(await readFile(join(folder, "index.html.br"))).toString()).toBe(page);
  expect(gunzipSync(await readFile(join(folder, "index.html.gz"))).toString()).toBe(page);
});

it("compresses the page last, and the same again after another run", async () => {
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "sw.js"), page);
  await rm(join(folder, "assets"), { recursive: true });
  await mkdir(join(folder, "sw.js.br"));
  await expect(precompress(folder)).rejects.toThrow("EISDIR");
  expect(await readdir(folder)).not.toContain("index.html.br");
  await rm(join(folder, "sw.js.br"), { recursive: true });
  const first = await precompress(folder);
  expect(await precompress(folder)).toEqual(first);
});
