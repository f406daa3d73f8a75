import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFileStorage } from "@warren/core/testing";
import { afterAll, expect, it } from "vitest";
import { DiskFileStorage } from "./disk-file-storage.ts";

const root = mkdtempSync(join(tmpdir(), "warren-files-"));
afterAll(() => rmSync(root, { recursive: true }));

describeFileStorage("Disk", async () => new DiskFileStorage(root));

it("does not count a chunk whose digest a crash cut short", async () => {
  const layout = { fileSize: 40_000, chunkSize: 16_384, mimeType: "" };
  const storage = new DiskFileStorage(root);
  const sink = await storage.openSink("file-cut-short", layout);
  await sink.write(0, new Uint8Array(16_384), new Uint8Array(32).fill(7));
  await sink.close();
  appendFileSync(join(root, "file-cut-short", "digests"), new Uint8Array(20).fill(1));
  expect([...(await storage.readDigests("file-cut-short")).keys()]).toEqual([0]);
  const again = await storage.openSink("file-cut-short", layout);
  await again.write(2, new Uint8Array(7_232), new Uint8Array(32).fill(9));
  await again.close();
  expect([...(await storage.readDigests("file-cut-short")).keys()]).toEqual([0, 2]);
});

it("leaves no folder behind when the last file is removed", async () => {
  const folder = join(root, "empty-again");
  const storage = new DiskFileStorage(folder);
  await storage.writeRecord("file-last-one", {});
  await storage.remove("file-last-one");
  expect(() => rmSync(folder)).toThrow("ENOENT");
});

it("keeps files apart whose ids differ by capitals only, also on a disk that does not", async () => {
  const folder = join(root, "capitals");
  const storage = new DiskFileStorage(folder);
  const fids = ["file-twins-1", "File-twins-1", "FILE-TWINS-1"];
  for (const fid of fids) await storage.writeRecord(fid, { fid });
  expect(new Set(readdirSync(folder).map((name) => name.toLowerCase())).size).toBe(3);
  const listed = await new DiskFileStorage(folder).listRecords();
  expect(listed.map(({ fid, record }) => [fid, record]).sort()).toEqual(
    fids.map((fid) => [fid, { fid }]).sort(),
  );
});
