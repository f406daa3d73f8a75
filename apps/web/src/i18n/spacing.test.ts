import { describe, expect, test } from "vitest";
import { gap, joinSentences } from "./spacing.ts";

test.each([
  ["加入", "harbour", " "],
  ["harbour", "房间", " "],
  ["第", "2", " "],
  ["45%", "完成", " "],
  ["𠮷", "Mara", " "],
  ["Mara", "𠮷", " "],
  ["加入", "港口", ""],
  ["“", "harbour", ""],
  ["Join ", "港口", ""],
  ["Join", "harbour", ""],
  ["是", "", ""],
  ["", "Mara", ""],
])("between %j and %j is %j", (left, right, between) => {
  expect(gap(left, right)).toBe(between);
});

describe("sentences", () => {
  test("are separated by a space in English but not in Chinese", () => {
    expect(joinSentences(["One left.", "Nothing was sent."])).toBe("One left. Nothing was sent.");
    expect(joinSentences(["有一人离开。", "没有发送任何内容。"])).toBe("有一人离开。没有发送任何内容。");
  });

  test("may be a single one", () => {
    expect(joinSentences(["One left."])).toBe("One left.");
  });
});
