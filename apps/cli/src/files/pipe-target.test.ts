import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DiskFileStorage } from "../platform/disk-file-storage.ts";
import { PipeTarget } from "./pipe-target.ts";

const chunkSize = 4;
const layout = { fileSize: 10, chunkSize, mimeType: "" };
const digest = new Uint8Array(32);
const text = (value: string) => new TextEncoder().encode(value);

let folder: string;
let output: PassThrough;
let target: PipeTarget;
let storage: DiskFileStorage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-pipe-"));
  output = new PassThrough();
  target = new PipeTarget(output);
  storage = new DiskFileStorage(folder, (fid, path, end) => target.advance(fid, path, end));
});
afterEach(() => rmSync(folder, { recursive: true }));

const seen = (): string => String(output.read() ?? "");

it("gets chunks in order while they arrive, whatever order they arrive in", async () => {
  const sink = await storage.openSink("file-0001", layout);
  await sink.write(1, text("4567"), digest);
  expect(seen()).toBe("");
  await sink.write(0, text("0123"), digest);
  await expect.poll(seen).toBe("01234567");
  await sink.write(2, text("89"), digest);
  await sink.finish();
  await target.finish("file-0001", storage.bytesOf("file-0001"), layout.fileSize);
  expect(seen()).toBe("89");
  await sink.close();
});

it("gets what an earlier run has stored once that is verified, as a crash may have damaged it", async () => {
  const earlier = await new DiskFileStorage(folder).openSink("file-0001", layout);
  for (const chunk of [0, 1]) await earlier.write(chunk, text("????"), digest);
  await earlier.close();
  const sink = await storage.openSink("file-0001", layout);
  await sink.write(2, text("89"), digest);
  await sink.write(0, text("0123"), digest);
  await expect.poll(seen).toBe("0123");
  await sink.close();
  const again = await storage.openSink("file-0001", layout);
  await again.write(1, text("4567"), digest);
  await again.finish();
  await target.finish("file-0001", storage.bytesOf("file-0001"), layout.fileSize);
  expect(seen()).toBe("456789");
  await again.close();
});

it("leaves no listeners at its output, whose reader is slow, however many parts there are", async () => {
  const names = () => output.eventNames().map((name) => [name, output.listenerCount(name)]);
  const before = names();
  const slow = { fileSize: 40 * 1024, chunkSize: 1024, mimeType: "" };
  const sink = await storage.openSink("file-0001", slow);
  let got = "";
  const reading = setInterval(() => {
    got += seen();
  }, 1);
  for (let chunk = 0; chunk < 40; chunk++) {
    await sink.write(chunk, text(String(chunk % 10).repeat(1024)), digest);
    await expect.poll(() => got.length, { interval: 1 }).toBeGreaterThanOrEqual(chunk * 1024);
  }
  await sink.finish();
  await target.finish("file-0001", storage.bytesOf("file-0001"), slow.fileSize);
  clearInterval(reading);
  got += seen();
  expect([got.length, got.slice(-2048, -1023)]).toEqual([40 * 1024, `${"8".repeat(1024)}9`]);
  expect(names()).toEqual(before);
  await sink.close();
});

it("takes one file", async () => {
  expect(target.take("file-0001")).toBe(true);
  const other = await storage.openSink("file-0002", layout);
  await other.write(0, text("0123"), digest);
  await other.close();
  expect([target.take("file-0001"), target.take("file-0002")]).toEqual([true, false]);
  await expect(target.finish("file-0002", storage.bytesOf("file-0002"), 4)).rejects.toThrow("another file");
  expect(seen()).toBe("");
});

it("says when its reader has gone", async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  target = new PipeTarget(broken);
  const sink = await storage.openSink("file-0001", layout);
  await sink.write(0, text("0123"), digest);
  await expect.poll(() => target.failure?.message).toBe("EPIPE");
  await sink.close();
  await expect(target.finish("file-0001", storage.bytesOf("file-0001"), 4)).rejects.toThrow("EPIPE");
});
