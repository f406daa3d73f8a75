import { describe, expect, it } from "vitest";
import { UnconfirmedChunks } from "./unconfirmed-chunks.ts";

const near = {};
const far = {};

describe("unconfirmed chunks", () => {
  it("are lost with each channel that carried one of their blocks", () => {
    const chunks = new UnconfirmedChunks();
    for (const [chunk, channel] of [
      [1, near],
      [2, near],
      [2, far],
      [3, far],
    ] as const)
      chunks.add(chunk, "plain", channel);
    expect(chunks.lostWith(far)).toEqual([2, 3]);
    expect(chunks.lostWith(far)).toEqual([]);
  });

  it("are not lost once they are confirmed", () => {
    const chunks = new UnconfirmedChunks();
    for (const chunk of [4, 5, 6, 7]) chunks.add(chunk, "zstd", near);
    chunks.confirm([[4, 5], 7]);
    expect(chunks.lostWith(near)).toEqual([6]);
    expect([chunks.encodingOf(6), chunks.encodingOf(7)]).toEqual(["zstd", undefined]);
  });

  it("report a block queued on a channel that was lost at the same moment", () => {
    const chunks = new UnconfirmedChunks();
    expect(chunks.add(1, "plain", near)).toBe(true);
    chunks.lostWith(near);
    expect(chunks.add(2, "plain", near)).toBe(false);
  });
});
