import { describe, expect, it } from "vitest";
import { newerFeatures, newerStyles } from "./newer-features.ts";

describe("features newer than the oldest supported browsers", () => {
  it.each([
    ["URL.canParse(text)", "URL.canParse"],
    ["Object.groupBy(items, kind)", "Object.groupBy"],
    ["Promise.withResolvers()", "Promise.withResolvers"],
    ["AbortSignal.any([one, other])", "AbortSignal.any"],
    ["buffer.transferToFixedLength()", ".transferToFixedLength"],
    ["one.isSubsetOf(other)", ".isSubsetOf"],
    ["new Intl.Segmenter()", null],
    ["const find = /[\\p{L}--[a-z]]/v", "/v"],
  ])("%s", (code, feature) => {
    expect([...newerFeatures(code)]).toEqual(feature === null ? [] : [feature]);
  });

  it.each([
    "list.toSpliced(0, 1).toSorted().findLast(test)",
    "structuredClone(value)",
    "Promise.any(all)",
    "const any = { canParse: 1, canParse() {} }",
    "new CompressionStream('deflate-raw')",
  ])("accepts %s", (code) => {
    expect([...newerFeatures(code)]).toEqual([]);
  });

  it("are found in style sheets", () => {
    expect([...newerStyles("a{text-wrap:balance}@starting-style{b{color:red}}")]).toEqual([
      "@starting-style",
      "text-wrap",
    ]);
    expect([...newerStyles(".segment:has(:checked){color:red}.md\\:popover-open{inset:0}")]).toEqual([]);
  });
});
