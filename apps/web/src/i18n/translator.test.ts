import { describe, expect, test } from "vitest";
import { enUs } from "./en-us.ts";
import { createTranslator } from "./translator.ts";

describe("a translator", () => {
  const { folders_one: _one, ...common } = enUs.common;
  const { translate } = createTranslator("en-us", { ...enUs, common });

  test("takes the general form of a plural where a language has no other", () => {
    expect(translate("common.folders", { count: 1 })).toBe("1 folders");
  });

  test("leaves nothing of a place that gets no value", () => {
    expect(translate("arrival.title", {})).toBe("Join ");
  });

  test("takes values as they are, even those that look like places and patterns", () => {
    expect(translate("people.fromName", { name: "{{text}} $& $1", text: "x" })).toBe("{{text}} $& $1: x");
  });

  test("sets values a space apart from Chinese where they are not Chinese themselves", () => {
    const chinese = createTranslator("zh-cn", {
      a: "等{{name}}接收",
      b: "“{{name}}”的文件",
      c: "第{{n}}次，共{{m}}次",
    });
    expect(chinese.translate("a", { name: "Mara" })).toBe("等 Mara 接收");
    expect(chinese.translate("a", { name: "小明" })).toBe("等小明接收");
    expect(chinese.translate("a", { name: "小明 2" })).toBe("等小明 2 接收");
    expect(chinese.translate("b", { name: "Mara" })).toBe("“Mara”的文件");
    expect(chinese.translate("c", { n: 2, m: 1000 })).toBe("第 2 次，共 1,000 次");
  });

  test("knows no text of another key, a section or an inherited name", () => {
    for (const key of ["arrival.titel", "arrival", "constructor", ""]) {
      expect(translate(key, {})).toBeUndefined();
    }
  });
});
