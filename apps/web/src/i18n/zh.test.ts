import { safetyEmoji } from "@warren/core";
import { describe, expect, test } from "vitest";
import { drawnEmoji } from "../people/person-info/drawn-emoji.ts";
import { zhCn } from "./zh-cn.ts";
import { zhTw } from "./zh-tw.ts";

interface Texts {
  readonly [name: string]: string | undefined | Texts;
}

function textsOf(tree: Texts): string[] {
  return Object.values(tree).flatMap((node) =>
    node === undefined ? [] : typeof node === "string" ? [node] : textsOf(node),
  );
}

const everyEmoji = safetyEmoji.map((_emoji, index) => index);

describe.each([
  { name: "zh-cn", locale: zhCn },
  { name: "zh-tw", locale: zhTw },
])("$name", ({ locale }) => {
  const texts = textsOf(locale);
  const those = (pattern: RegExp): string[] => texts.filter((text) => pattern.test(text));

  test("punctuates sentences with Chinese marks", () => {
    expect(those(/\p{sc=Han}[,;:!?()]|[,;:!?()]\p{sc=Han}|\p{sc=Han}\.(?!\w)|\.\.\./u)).toEqual([]);
  });

  test("separates Latin letters and numbers with a space", () => {
    expect(those(/\p{sc=Han}[A-Za-z0-9]|[A-Za-z0-9%]\p{sc=Han}/u)).toEqual([]);
  });

  test("leaves the spaces around values to the translator", () => {
    expect(those(/\p{sc=Han} \{\{|\}\} \p{sc=Han}/u)).toEqual([]);
  });

  test("has a distinct name for each emoji of the safety code", () => {
    const names = drawnEmoji(everyEmoji).map(({ key }) => locale.emoji[key]);
    expect(new Set(names).size).toBe(64);
  });
});

test("Taiwan's vocabulary is not that of the mainland", () => {
  const mainland =
    /軟件|文件|鏈接|剪貼板|屏幕|設置|服務器|網絡|默認|信息|質量|視頻|音頻|用戶名|菜單|緩存|登錄|加載|發送|粘貼|搜索|界面|標籤頁|攝像頭|內存|分辨率|硬盤/;
  expect(textsOf(zhTw).filter((text) => mainland.test(text))).toEqual([]);
});
