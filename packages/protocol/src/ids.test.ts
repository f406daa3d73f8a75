import { describe, expect, it } from "vitest";
import { clientIdSchema, displayNameSchema, fileIdSchema, messageIdSchema, roomIdSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { v } from "./schema.ts";

describe("ids", () => {
  it("accept every v4 UUID of the platform", () => {
    for (let i = 0; i < 100; i++) {
      const id = crypto.randomUUID();
      expect(v.parse(clientIdSchema, id)).toBe(id);
      expect(v.parse(messageIdSchema, id)).toBe(id);
      expect(v.parse(fileIdSchema, id)).toBe(id);
    }
  });

  it.each([8, 64])("of files and messages may have %i characters", (length) => {
    expect(v.is(fileIdSchema, "a".repeat(length))).toBe(true);
    expect(v.is(messageIdSchema, "a".repeat(length))).toBe(true);
  });

  it.each([
    "a".repeat(7),
    "a".repeat(65),
    "........",
    "a/bcdefgh",
    "__proto__\n",
    "abcdéfgh",
    "",
    null,
    12_345_678,
  ])("of files and messages are never %j", (id) => {
    expect(v.is(fileIdSchema, id)).toBe(false);
    expect(v.is(messageIdSchema, id)).toBe(false);
  });
});

describe.each([
  ["a room's name", roomIdSchema, limits.roomIdLength],
  ["a person's name", displayNameSchema, limits.nameLength],
])("%s", (_, schema, maxLength) => {
  it("is cleaned, then measured", () => {
    expect(v.parse(schema, `  ${"a".repeat(maxLength)}\u202E\n`)).toBe("a".repeat(maxLength));
    expect(v.is(schema, "a".repeat(maxLength + 1))).toBe(false);
  });

  it.each(["", "  ", "\u200B", "\u200D\u2800", "\0", null, 1, ["a"]])("is never %j", (name) => {
    expect(v.is(schema, name)).toBe(false);
  });
});

it("normalizes a room's name to the same text for every Unicode composition", () => {
  expect(v.parse(roomIdSchema, "cafe\u0301")).toBe(v.parse(roomIdSchema, "caf\u00E9"));
});
