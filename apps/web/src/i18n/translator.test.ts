import { describe, expect, test } from "vitest";
import { enUs } from "./en-us.ts";
import { createTranslator } from "./translator.ts";

describe("a translator", () => {
  const { folders_one: _one, ...common } = enUs.common;
  const { translate } = createTranslator("en-us", { ...enUs, common });

  test("uses the general form of a plural if a language has no other", () => {
    expect(translate("common.folders", { count: 1 })).toBe("1 folders");
  });

  test("removes a placeholder without a value", () => {
    expect(translate("arrival.title", {})).toBe("Join ");
  });

  test("inserts values verbatim, even those that look like placeholders or patterns", () => {
    expect(translate("people.fromName", { name: "{{text}} $& $1", text: "x" })).toBe("{{text}} $& $1: x");
  });

  test("separates non-Chinese values from Chinese text with a space", () => {
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

  test("has no text for an unknown key, a group or an inherited name", () => {
    for (const key of ["arrival.titel", "arrival", "constructor", ""]) {
      expect(translate(key, {})).toBeUndefined();
    }
  });
});
