import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { shardOf } from "./sharded-relay.ts";

const rooms = Array.from({ length: 3_000 }, (_, number) =>
  createHash("sha256").update(String(number)).digest("base64url"),
);
const names = ["redis://a", "redis://b", "redis://c"];

describe("rooms spread over several relays", () => {
  it("go to the same relay, whatever the order of the list", () => {
    for (const room of rooms) expect(shardOf(room, names.toReversed())).toBe(shardOf(room, names));
  });

  it("are distributed evenly", () => {
    for (const name of names) {
      const count = rooms.filter((room) => shardOf(room, names) === name).length;
      expect(count).toBeGreaterThan(900);
      expect(count).toBeLessThan(1_100);
    }
  });

  it("stay where they are when a relay is added, except for its part", () => {
    const moved = rooms.filter((room) => shardOf(room, [...names, "redis://d"]) !== shardOf(room, names));
    expect(moved.length).toBeLessThan(900);
    expect(new Set(moved.map((room) => shardOf(room, [...names, "redis://d"])))).toEqual(
      new Set(["redis://d"]),
    );
  });
});
