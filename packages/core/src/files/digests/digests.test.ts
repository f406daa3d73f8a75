import { describe, expect, it, vi } from "vitest";
import { chunkDigestOf, digestOf, rootOf } from "./digests.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("digests", () => {
  it("are SHA-256, with and without the platform's help", async () => {
    const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const abc = new TextEncoder().encode("abc");
    expect(hex(await digestOf(abc))).toBe(expected);
    vi.stubGlobal("crypto", {});
    expect(hex(await digestOf(abc))).toBe(expected);
    vi.unstubAllGlobals();
  });

  it("bind a chunk's number into its chunk digest: SHA-256(0x00 ‖ u32 chunk ‖ leaf)", async () => {
    const leaf = await digestOf(new TextEncoder().encode("hello"));
    // The example of docs/protocol.md, computed in Python.
    const expected = "3d81893bdff79bc4cc89140bbddb41d911194a2960cdbf888038bcc21ba5608c";
    expect(hex(chunkDigestOf(1, leaf))).toBe(expected);
    expect(hex(chunkDigestOf(2, leaf))).not.toBe(expected);
  });

  it("bind size, chunk size and the order of leaves into the root", async () => {
    const leaves = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const file = { fileSize: 100, chunkSize: 64 };
    const roots = await Promise.all([
      rootOf(file, leaves),
      rootOf({ ...file, fileSize: 101 }, leaves),
      rootOf({ ...file, chunkSize: 65 }, leaves),
      rootOf(file, leaves.toReversed()),
      rootOf(file, leaves.slice(0, 1)),
    ]);
    expect(new Set(roots).size).toBe(roots.length);
  });

  it("make a root that another implementation can reproduce: SHA-256(0x01 ‖ u64 size ‖ u32 chunk size ‖ leaves)", async () => {
    const leaf = await digestOf(new TextEncoder().encode("abc"));
    const manifest = Buffer.concat([Buffer.from("01000000000000000300080000", "hex"), leaf]);
    const root = await rootOf({ fileSize: 3, chunkSize: 524_288 }, [leaf]);
    expect(root).toBe(hex(await digestOf(new Uint8Array(manifest))));
  });
});
