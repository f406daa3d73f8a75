import { limits, utf8Length } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { readLeftOut, readShared } from "./read-shared.ts";

const address = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;
const textOf = (fields: Record<string, string>) => {
  const [item] = readShared(address(fields));
  return item?.type === "text" ? item.text : null;
};

describe("what is shared by an address", () => {
  test("is one text of title, words and address", () => {
    const fields = { title: "Tides", text: "High at nine", url: "https://example.org/tides" };
    expect(textOf(fields)).toBe("Tides\nHigh at nine\nhttps://example.org/tides");
  });

  test("says nothing twice", () => {
    const url = "https://example.org/tides";
    expect(textOf({ title: "Tides", text: `Tides: ${url}`, url })).toBe(`Tides: ${url}`);
    expect(textOf({ title: "same", text: "same" })).toBe("same");
  });

  test("holds no address but a web page's", () => {
    expect(textOf({ text: "look", url: "javascript:alert(1)" })).toBe("look");
    expect(textOf({ url: "data:text/html,<script>" })).toBeNull();
    expect(textOf({ url: `https://example.org/${"a".repeat(3_000)}` })).toBeNull();
  });

  test("is cut to what a message holds, and shows nothing hidden", () => {
    expect(utf8Length(textOf({ text: "ü".repeat(limits.textBytes) }) ?? "")).toBeLessThanOrEqual(
      limits.textBytes,
    );
    expect(textOf({ title: "a".repeat(1_000) })).toHaveLength(300);
    expect(textOf({ text: "exe\u202Etxt\u0000" })).toBe("exetxt");
  });

  test("is nothing where nothing came", () => {
    expect(readShared("")).toEqual([]);
    expect(readShared(address({ text: " \u200b\n", files: "x" }))).toEqual([]);
  });
});

test("how many things are missing is a number, whatever the address says", () => {
  const counts = ["3", "0", "-1", "1.5", "1e9", "<b>", ""].map((value) =>
    readLeftOut(address({ "left-out": value })),
  );
  expect(counts).toEqual([3, 0, 0, 0, 999, 0, 0]);
  expect(readLeftOut("")).toBe(0);
});
