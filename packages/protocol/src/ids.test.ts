import { describe, expect, it } from "vitest";
import { clientIdSchema, displayNameSchema, fileIdSchema, messageIdSchema, roomIdSchema } from "./ids.ts";
import { limits } from "./limits.ts";

describe("ids", () => {
  it("accept every v4 UUID of the platform", () => {
    for (let i = 0; i < 100; i++) {
      const id = crypto.randomUUID();
      expect(clientIdSchema.parse(id)).toBe(id);
      expect(messageIdSchema.parse(id)).toBe(id);
      expect(fileIdSchema.parse(id)).toBe(id);
    }
  });

  it.each([8, 64])("of files and messages may have %i characters", (length) => {
    expect(fileIdSchema.safeParse("a".repeat(length)).success).toBe(true);
    expect(messageIdSchema.safeParse("a".repeat(length)).success).toBe(true);
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
    expect(fileIdSchema.safeParse(id).success).toBe(false);
    expect(messageIdSchema.safeParse(id).success).toBe(false);
  });
});

describe.each([
  ["a room's name", roomIdSchema, limits.roomIdLength],
  ["a person's name", displayNameSchema, limits.nameLength],
])("%s", (_, schema, maxLength) => {
  it("is cleaned, then measured", () => {
    expect(schema.parse(`  ${"a".repeat(maxLength)}\u202E\n`)).toBe("a".repeat(maxLength));
    expect(schema.safeParse("a".repeat(maxLength + 1)).success).toBe(false);
  });

  it.each(["", "  ", "\u200B", "\u200D\u2800", "\0", null, 1, ["a"]])("is never %j", (name) => {
    expect(schema.safeParse(name).success).toBe(false);
  });
});

it("normalizes a room's name to the same text for every Unicode composition", () => {
  expect(roomIdSchema.parse("cafe\u0301")).toBe(roomIdSchema.parse("caf\u00E9"));
});
