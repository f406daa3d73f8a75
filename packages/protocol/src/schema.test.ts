import { describe, expect, it } from "vitest";
import { decodeValue } from "./decode.ts";
import { finiteNumber, integer, listUpTo, recordOf, textUpTo, unionBy, v } from "./schema.ts";

const takes = (schema: v.GenericSchema, value: unknown) => decodeValue(schema, value).ok;
const issueOf = (schema: v.GenericSchema, value: unknown) => {
  const decoded = decodeValue(schema, value);
  return decoded.ok ? null : decoded.error.values.issue;
};

describe("integer", () => {
  it("accepts safe integers within its bounds", () => {
    expect([-1, 0, 5, 6].map((value) => takes(integer(0, 5), value))).toEqual([false, true, true, false]);
    expect(takes(integer(), Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(takes(integer(), Number.MAX_SAFE_INTEGER + 1)).toBe(false);
    expect([0.5, Number.NaN, Number.POSITIVE_INFINITY, "1"].some((value) => takes(integer(), value))).toBe(
      false,
    );
  });
});

it("a finite number is neither infinite nor NaN", () => {
  expect([0, -1.5, Number.MAX_VALUE].every((value) => takes(finiteNumber, value))).toBe(true);
  expect([Number.NaN, Number.POSITIVE_INFINITY, "1"].some((value) => takes(finiteNumber, value))).toBe(false);
});

it.each(["a", "\u{1F430}", "\uD800"])("a text is limited in code points, here of %j", (character) => {
  expect(takes(textUpTo(3), character.repeat(3))).toBe(true);
  expect(takes(textUpTo(3), character.repeat(4))).toBe(false);
});

it("a list is counted before its items are checked", () => {
  let checked = 0;
  const item = v.custom<number>(() => ++checked > 0);
  expect(issueOf(listUpTo(item, 3), [1, 2, 3, 4])).toBe("max_length");
  expect(checked).toBe(0);
  expect(takes(listUpTo(item, 3), [1, 2, 3])).toBe(true);
  expect(takes(listUpTo(item, 3), { length: 1 })).toBe(false);
});

it("checking ends with the first issue", () => {
  let checked = 0;
  const item = v.custom<number>(() => ++checked < 0);
  expect(takes(listUpTo(item, 3), [1, 2, 3])).toBe(false);
  expect(checked).toBe(1);
});

describe("recordOf", () => {
  const schema = recordOf(v.pipe(v.string(), v.regex(/^[a-z0-9]+$/)), v.string());

  it("accepts objects with valid keys and values, but no array", () => {
    expect(decodeValue(schema, { a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect([{ A: "x" }, { a: 1 }, [], ["x"], null].some((value) => takes(schema, value))).toBe(false);
  });

  it("drops keys that prototypes have", () => {
    const given: unknown = JSON.parse('{"a":"x","__proto__":"y","constructor":{},"prototype":1}');
    const decoded = decodeValue(schema, given);
    expect(decoded).toEqual({ ok: true, value: { a: "x" } });
    expect(decoded.ok && Object.keys(decoded.value)).toEqual(["a"]);
  });
});

describe("unionBy", () => {
  const schema = unionBy("type", [
    v.object({ type: v.literal("one"), count: integer() }),
    v.object({ type: v.picklist(["two", "three"]), name: v.string() }),
  ]);

  it("parses by the option that its key names", () => {
    for (const value of [
      { type: "one", count: 1 },
      { type: "two", name: "a" },
      { type: "three", name: "b" },
    ])
      expect(decodeValue(schema, { ...value, extra: 1 })).toEqual({ ok: true, value });
  });

  it.each([
    [{ type: "one", count: "1" }, "count: number"],
    [{ type: "one" }, "count: missing"],
    [{ type: "four" }, "type: picklist"],
    [{ type: "__proto__" }, "type: picklist"],
    [{ type: ["one"], count: 1 }, "type: picklist"],
    [{ count: 1 }, "type: missing"],
    [null, "object"],
    ["one", "object"],
  ])("rejects %j with the issue %j", (value, issue) => {
    expect(issueOf(schema, value)).toBe(issue);
  });
});
