import { describe, expect, it } from "vitest";
import { HeldQuotas, heldNeedOf, heldPerFileBytes } from "./held-bytes.ts";

const mib = 1024 * 1024;

describe("the quotas of incoming files", () => {
  it("are each file's need while memory suffices, and the same fraction of it otherwise", () => {
    const shares = new HeldQuotas();
    const few = Array.from({ length: 4 }, () => shares.join(heldPerFileBytes, () => false));
    expect(few.map((share) => share.bytes())).toEqual([16, 16, 16, 16].map((size) => size * mib));
    const many = Array.from({ length: 4 }, () => shares.join(heldPerFileBytes, () => false));
    expect([...few, ...many].every((share) => share.bytes() === 8 * mib)).toBe(true);
    for (const share of many) share.leave();
    expect(few[0]?.bytes()).toBe(16 * mib);
  });

  it("do not shrink for silent files", () => {
    const shares = new HeldQuotas();
    let isQuiet = true;
    for (let file = 0; file < 40; file++) shares.join(heldPerFileBytes, () => isQuiet);
    const moving = shares.join(heldPerFileBytes, () => false);
    expect(moving.bytes()).toBe(16 * mib);
    isQuiet = false;
    expect(moving.bytes()).toBeLessThan(2 * mib);
  });

  it("need 8 MiB at least and 16 MiB at most", () => {
    expect([0, 9 * mib, 900 * mib].map((fileSize) => heldNeedOf({ fileSize }))).toEqual(
      [8, 9, 16].map((size) => size * mib),
    );
  });
});
