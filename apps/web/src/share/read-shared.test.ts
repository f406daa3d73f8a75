import { limits, utf8Length } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { readLeftOut, readShared } from "./read-shared.ts";

const address = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;
const textOf = (fields: Record<string, string>) => {
  const [item] = readShared(address(fields));
  return item?.type === "text" ? item.text : null;
};

describe("a share in an address", () => {
  test("is joined into one text of title, text and URL", () => {
    const fields = { title: "Tides", text: "High at nine", url: "https://example.org/tides" };
    expect(textOf(fields)).toBe("Tides\nHigh at nine\nhttps://example.org/tides");
  });

  test("repeats nothing", () => {
    const url = "https://example.org/tides";
    expect(textOf({ title: "Tides", text: `Tides: ${url}`, url })).toBe(`Tides: ${url}`);
    expect(textOf({ title: "same", text: "same" })).toBe("same");
  });

  test("includes only web URLs", () => {
    expect(textOf({ text: "look", url: "javascript:alert(1)" })).toBe("look");
    expect(textOf({ url: "data:text/html,<script>" })).toBeNull();
    expect(textOf({ url: `https://example.org/${"a".repeat(3_000)}` })).toBeNull();
  });

  test("is truncated to a message's limit, without invisible characters", () => {
    expect(utf8Length(textOf({ text: "ü".repeat(limits.textBytes) }) ?? "")).toBeLessThanOrEqual(
      limits.textBytes,
    );
    expect(textOf({ title: "a".repeat(1_000) })).toHaveLength(300);
    expect(textOf({ title: `${"a".repeat(299)}😀` })).toBe("a".repeat(299));
    expect(textOf({ text: "exe\u202Etxt\u0000" })).toBe("exetxt");
  });

  test("keeps its URL whole, and cuts its text before a link", () => {
    const url = "https://example.org/tides";
    const shared = textOf({ text: "ü".repeat(limits.textBytes), url }) ?? "";
    expect(utf8Length(shared)).toBeLessThanOrEqual(limits.textBytes);
    expect(shared).toMatch(/ü\nhttps:\/\/example\.org\/tides$/);
    const words = "x".repeat(limits.textBytes - 20);
    expect(textOf({ text: `${words} ${url}` })).toBe(`${words} `);
  });

  test("is empty without content", () => {
    expect(readShared("")).toEqual([]);
    expect(readShared(address({ text: " \u200b\n", files: "x" }))).toEqual([]);
  });
});

test("the number of missing items is a number, whatever the address contains", () => {
  const counts = ["3", "0", "-1", "1.5", "1e9", "<b>", ""].map((value) =>
    readLeftOut(address({ "left-out": value })),
  );
  expect(counts).toEqual([3, 0, 0, 0, 999, 0, 0]);
  expect(readLeftOut("")).toBe(0);
});
