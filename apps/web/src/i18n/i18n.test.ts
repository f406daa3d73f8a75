// @vitest-environment happy-dom
import { isErrorCode } from "@warren/protocol";
import { afterEach, describe, expect, test, vi } from "vitest";
import { enUs } from "./en-us.ts";
import {
  currentLocale,
  currentTranslate,
  errorText,
  setLocale,
  translate as t,
  wantedLocale,
} from "./i18n.ts";
import { resolveLocale } from "./locales.ts";

describe("translate", () => {
  test("fills in values and selects the plural form", () => {
    expect(t("arrival.title", { room: "harbour" })).toBe("Join harbour");
    expect(t("people.waiting", { count: 1, name: "Elise" })).toBe("1 message waiting for Elise");
    expect(t("people.waiting", { count: 2, name: "Elise" })).toBe("2 messages waiting for Elise");
  });

  test("formats numbers as the locale does", () => {
    expect(t("common.files", { count: 12345 })).toBe("12,345 files");
  });

  test("inserts user input verbatim", () => {
    const hostile = "$t(common.cancel) {{count}} <b>";
    expect(t("people.fromName", { name: hostile, text: hostile })).toBe(`${hostile}: ${hostile}`);
  });

  test("does not compile with an unknown key or with wrong values", () => {
    const check = (): void => {
      // @ts-expect-error there is no such key
      t("arrival.titel");
      // @ts-expect-error a section is not a text
      t("arrival");
      // @ts-expect-error the room is missing
      t("arrival.title");
      // @ts-expect-error the value has another name
      t("arrival.title", { name: "harbour" });
      // @ts-expect-error the text takes no values
      t("arrival.line", { room: "harbour" });
      // @ts-expect-error a plural needs its count
      t("people.waiting", { name: "Elise" });
      // @ts-expect-error a count is a number
      t("common.files", { count: "2" });
      // @ts-expect-error one form of a plural is not a key
      t("common.files_one", { count: 1 });
    };
    expect(check).toBeTypeOf("function");
  });
});

describe("errorText", () => {
  test("describes an error with its values", () => {
    expect(errorText({ code: "cloudflare-error", values: { status: 403 } })).toContain("status 403");
    expect(errorText({ code: "unknown", values: {} })).toBe("Unknown error");
  });

  test.each(["en-us", "zh-cn", "zh-tw"] as const)("leaves no placeholder in %s", async (locale) => {
    await setLocale(locale);
    const texts = Object.keys(enUs.error)
      .filter(isErrorCode)
      .map((code) => errorText({ code, values: {} }));
    expect(texts.filter((text) => text === "" || /[{}]/.test(text))).toEqual([]);
    await setLocale("en-us");
  });
});

describe("the locale", () => {
  afterEach(() => setLocale("en-us"));

  test.each([
    [["en-GB"], "en-us"],
    [["EN_us"], "en-us"],
    [["tlh"], "en-us"],
    [[], "en-us"],
    [["not a tag", "en"], "en-us"],
    [["zh-CN"], "zh-cn"],
    [["zh"], "zh-cn"],
    [["zh-SG"], "zh-cn"],
    [["zh-Hans"], "zh-cn"],
    [["zh-Hans-HK"], "zh-cn"],
    [["zh-TW"], "zh-tw"],
    [["zh_TW"], "zh-tw"],
    [["zh-HK"], "zh-tw"],
    [["zh-MO"], "zh-tw"],
    [["zh-Hant"], "zh-tw"],
    [["zh-Hant-CN"], "zh-tw"],
    [["yue-HK"], "zh-tw"],
    [["tlh", "zh-HK", "en"], "zh-tw"],
    [["en", "zh-CN"], "en-us"],
  ])("for %j is %s", (wanted, locale) => {
    expect(resolveLocale(wanted)).toBe(locale);
  });

  test("is the stored choice, otherwise from the browser's languages, and English if unknown", () => {
    expect(wantedLocale("zh-tw", ["zh-CN"])).toBe("zh-tw");
    expect(wantedLocale(null, ["zh-CN"])).toBe("zh-cn");
    expect(wantedLocale("xx-yy", ["zh-CN"])).toBe("en-us");
  });

  test.each([
    ["en-us", "en-US"],
    ["zh-cn", "zh-CN"],
    ["zh-tw", "zh-TW"],
  ] as const)("%s sets the document's language to %s", async (locale, lang) => {
    await setLocale(locale);
    expect(document.documentElement.lang).toBe(lang);
  });

  test("changes every text, and the function that memoized texts depend on", async () => {
    const before = currentTranslate();
    await setLocale("zh-cn");
    expect(t("arrival.join")).toBe("加入房间");
    await setLocale("zh-tw");
    expect(t("arrival.join")).toBe("加入房間");
    expect(currentTranslate()).not.toBe(before);
    expect(currentTranslate()("common.files", { count: 1 })).toBe("1 個檔案");
  });

  test("is the last requested one, whichever texts load first", async () => {
    await Promise.all([setLocale("zh-tw"), setLocale("en-us")]);
    expect(currentLocale()).toBe("en-us");
  });

  test("stays unchanged if the texts of another cannot be fetched, which can be retried", async () => {
    vi.resetModules(); // other tests may have loaded zh-tw already
    vi.doMock("./zh-tw.ts", () => Promise.reject(new TypeError("offline")));
    const fresh = await import("./i18n.ts");
    await expect(fresh.setLocale("zh-tw")).rejects.toThrow();
    vi.doUnmock("./zh-tw.ts");
    expect(fresh.currentLocale()).toBe("en-us");
    expect(fresh.translate("arrival.join")).toBe("Join room");
    await fresh.setLocale("zh-tw");
    expect(fresh.translate("arrival.join")).toBe("加入房間");
  });
});
