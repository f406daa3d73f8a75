import { clientIdSchema, v } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { randomBelow, randomUuid } from "./ids.ts";

describe("ids", () => {
  it("makes v4 UUIDs that the protocol accepts as client ids", () => {
    for (let i = 0; i < 200; i++) expect(v.is(clientIdSchema, randomUuid())).toBe(true);
  });

  it("draws every number below the bound and no other", () => {
    const seen = new Set(Array.from({ length: 500 }, () => randomBelow(7)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
