import { limits } from "@warren/protocol";
import { hostilePaths } from "@warren/protocol/testing/hostile-paths";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { noise } from "../../testing/file-peers.ts";
import type { PickedFile } from "../trees/compose-tree.ts";
import { composeTree } from "../trees/compose-tree.ts";
import { type OpenTree, openTree, readManifest } from "../trees/open-tree.ts";
import { crc32, localHeader, zipEnd } from "./zip-records.ts";
import { zipTree } from "./zip-tree.ts";

const modified = Date.UTC(2024, 4, 6, 7, 8, 10);

async function treeOf(files: readonly PickedFile[], emptyFolders: readonly string[] = []): Promise<OpenTree> {
  const picked = { kind: "folder", name: "Scouting", files, emptyFolders } as const;
  const { stream, summary } = await composeTree(picked);
  return openTree(stream, { fileSize: stream.size, tree: summary }, readManifest);
}

const fileAt = (path: string, bytes: Uint8Array<ArrayBuffer>): PickedFile => ({
  path,
  file: new File([bytes], "picked", { lastModified: modified }),
});

async function unzip(blob: Blob): Promise<Record<string, Uint8Array>> {
  return unzipSync(new Uint8Array(await blob.arrayBuffer()));
}

describe("a zip of a tree", () => {
  it("holds every file byte for byte, and empty folders, in the tree's folder", async () => {
    const contents = { "a.bin": noise(3_000_000), "b/c/é\u{1F430}.bin": noise(17, 2), "b/empty": noise(0) };
    const files = Object.entries(contents).map(([path, bytes]) => fileAt(path, bytes));
    const done: number[] = [];
    const tree = await treeOf(files, ["void", "b/void"]);
    const zip = await zipTree(tree, { folder: "Scouting", onProgress: (count) => done.push(count) });
    const found = await unzip(zip);
    expect(Object.keys(found).sort()).toEqual(
      ["a.bin", "b/c/é\u{1F430}.bin", "b/empty", "b/void/", "void/"].map((path) => `Scouting/${path}`),
    );
    for (const [path, bytes] of Object.entries(contents))
      expect(Buffer.compare(found[`Scouting/${path}`] ?? new Uint8Array(1), bytes)).toBe(0);
    expect(done.at(-1)).toBe(3);
  });

  it("contains only the folder for an empty folder, and no folder for loose files", async () => {
    expect(Object.keys(await unzip(await zipTree(await treeOf([]), { folder: "Scouting" })))).toEqual([
      "Scouting/",
    ]);
    const loose = await zipTree(await treeOf([fileAt("a", noise(1))]), { folder: null });
    expect(Object.keys(await unzip(loose))).toEqual(["a"]);
  });

  it("contains no hostile path", async () => {
    const paths = hostilePaths().filter((path) => path.length <= limits.treePathLength);
    const tree = await treeOf(paths.map((path) => fileAt(path, noise(1))));
    const found = Object.keys(await unzip(await zipTree(tree, { folder: "Scouting" })));
    expect(found).toHaveLength(paths.length);
    for (const path of found) {
      expect(path).toMatch(/^Scouting\/[^/]/);
      expect(path.split("/")).not.toContain("..");
      expect(path).not.toMatch(/[\\\0:]/);
    }
  });

  it("reports that the bytes are gone", async () => {
    const tree = await treeOf([fileAt("a", noise(10))]);
    const gone = { ...tree, stream: tree.stream.slice(0, 5) };
    await expect(zipTree(gone, { folder: null })).rejects.toMatchObject({ code: "source-missing" });
  });
});

it("counts more entries than 16 bits hold in the ZIP64 record", () => {
  const entry = { path: "a", size: 0, crc: 0, lastModified: modified, offset: 0 };
  const bytes = zipEnd(new Array(70_000).fill(entry), 1_000);
  const view = new DataView(bytes.buffer);
  const end = bytes.byteLength - 22;
  expect(view.getUint16(end + 10, true)).toBe(0xffff);
  const zip64 = Number(view.getBigUint64(end - 20 + 8, true)) - 1_000;
  expect(view.getUint32(zip64, true)).toBe(0x0606_4b50);
  expect(view.getBigUint64(zip64 + 32, true)).toBe(70_000n);
});

describe("the records of a zip over 4 GiB", () => {
  const size = 5 * 2 ** 30;
  const entry = { path: "long.mov", size, crc: 0x1234_5678, lastModified: modified };
  const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

  it("have a local header that needs ZIP64, with the sizes in its field", () => {
    const view = viewOf(localHeader(entry));
    expect(view.getUint16(4, true)).toBe(45);
    expect([view.getUint32(18, true), view.getUint32(22, true)]).toEqual([0xffff_ffff, 0xffff_ffff]);
    const extra = 30 + entry.path.length;
    expect([view.getUint16(extra, true), view.getUint16(extra + 2, true)]).toEqual([1, 16]);
    expect(view.getBigUint64(extra + 4, true)).toBe(BigInt(size));
    expect(view.getBigUint64(extra + 12, true)).toBe(BigInt(size));
  });

  it("have a directory with the offsets of later entries", () => {
    const later = { path: "z", size: 1, crc: 0, lastModified: modified, offset: size + 100 };
    const bytes = zipEnd([{ ...entry, offset: 0 }, later], size + 200);
    const view = viewOf(bytes);
    const second = 46 + entry.path.length + view.getUint16(30, true);
    expect(view.getUint32(second, true)).toBe(0x0201_4b50);
    expect(view.getUint32(second + 42, true)).toBe(0xffff_ffff);
    const extra = second + 46 + later.path.length;
    expect([view.getUint16(extra, true), view.getUint16(extra + 2, true)]).toEqual([1, 8]);
    expect(view.getBigUint64(extra + 4, true)).toBe(BigInt(size + 100));
    const end = bytes.byteLength - 22;
    expect(view.getUint32(end + 16, true)).toBe(0xffff_ffff);
    const zip64 = end - 20 - 56;
    expect(view.getUint32(zip64, true)).toBe(0x0606_4b50);
    expect(view.getBigUint64(zip64 + 32, true)).toBe(2n);
    expect(view.getBigUint64(zip64 + 48, true)).toBe(BigInt(size + 200));
    expect(view.getBigUint64(end - 20 + 8, true)).toBe(BigInt(size + 200 + zip64));
  });
});

it("computes the zip checksum, also in pieces", () => {
  const bytes = new TextEncoder().encode("123456789");
  expect(crc32(bytes)).toBe(0xcbf4_3926);
  expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(0xcbf4_3926);
});
