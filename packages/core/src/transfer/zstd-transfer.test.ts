import { afterEach, describe, expect, it } from "vitest";
import { digestText, FilePeers } from "../testing/file-peers.ts";
import { createZstd } from "../testing/zstd-module.ts";
import { zstdCompressor } from "./compression/compressor.ts";
import { Zstd } from "./compression/zstd.ts";

const line = "the same line again and again\n";
/** Large enough that compression threads are worth it. */
const large = new TextEncoder().encode(line.repeat(150_000));

describe.each(["page", "worker"] as const)("a file that compresses, moved in a %s", (thread) => {
  let peers: FilePeers;
  afterEach(() => peers.close());

  /** Moves a file. @returns the compression flags of its blocks in order, and the requests. */
  async function move(compression: ConstructorParameters<typeof FilePeers>[1], bytes = large) {
    peers = new FilePeers(thread, compression);
    const flags: number[] = [];
    const asked: string[] = [];
    let wireBytes = 0;
    peers.link.channelOptions = {
      tamper: (message) => {
        if (typeof message === "string") {
          if (message.includes("request-content")) asked.push(message);
          return message;
        }
        const bits = new DataView(message).getUint8(6) & 0b1010;
        if (flags.at(-1) !== bits) flags.push(bits);
        wireBytes += message.byteLength;
        return message;
      },
    };
    const description = peers.offer(bytes, "list.txt", "text/plain");
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
    expect(wireBytes).toBeLessThan(bytes.byteLength / 10);
    return { flags, asked };
  }

  it("is sent as zstd to a receiver that reads it", async () => {
    const { flags, asked } = await move({ compressor: zstdCompressor(createZstd()), zstd: createZstd() });
    expect(flags).toEqual([8]);
    expect(asked.every((frame) => frame.includes('"encodings":["zstd"]'))).toBe(true);
  });

  it("is sent deflated to a receiver that does not", async () => {
    const { flags, asked } = await move({ compressor: zstdCompressor(createZstd()) });
    expect(flags).toEqual([2]);
    expect(asked.join()).not.toContain("encodings");
  });

  it("is sent deflated if the sender has no zstd", async () => {
    expect((await move({ zstd: createZstd() })).flags).toEqual([2]);
  });

  it("is sent deflated if it is small", async () => {
    const compression = { compressor: zstdCompressor(createZstd()), zstd: createZstd() };
    expect((await move(compression, large.slice(0, 1 << 20))).flags).toEqual([2]);
  });

  it("is requested again, deflated, if the library fails to load", async () => {
    const zstd = new Zstd(() => Promise.reject(new TypeError("Failed to fetch")));
    const { flags, asked } = await move({ compressor: zstdCompressor(createZstd()), zstd });
    expect(flags).toEqual([8, 2]);
    expect(asked[0]).toContain("zstd");
    expect(asked.at(-1)).not.toContain("zstd");
  });
});
