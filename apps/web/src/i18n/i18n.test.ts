// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { enUs } from "../locales/en-us.ts";
import { errorText, setLocale, translate as t, wantedLocale } from "./i18n.ts";
import { resolveLocale } from "./locales.ts";

describe("translate", () => {
  test("fills in values and chooses the plural", () => {
    expect(t("arrival.title", { room: "harbour" })).toBe("Join harbour");
    expect(t("people.waiting", { count: 1, name: "Elise" })).toBe("1 message waits for Elise");
    expect(t("people.waiting", { count: 2, name: "Elise" })).toBe("2 messages wait for Elise");
  });

  test("writes numbers as the locale does", () => {
    expect(t("common.files", { count: 12345 })).toBe("12,345 files");
  });

  test("takes what people typed as it is", () => {
    const hostile = "$t(common.cancel) {{count}} <b>";
    expect(t("people.fromName", { name: hostile, text: hostile })).toBe(`${hostile}: ${hostile}`);
  });

  test("does not compile with a wrong key or with values that do not fit", () => {
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
  test("has words for an error and fills in its values", () => {
    expect(errorText({ code: "cloudflare-error", values: { status: 403 } })).toContain("status 403");
    expect(errorText({ code: "unknown", values: {} })).toBe("Unknown error");
  });

  test("leaves no place open, whatever values an error brings", () => {
    for (const text of Object.values(enUs.error)) {
      expect(text.replace(/{{(?:status|limit)}}/, "")).not.toMatch(/[{}]/);
    }
  });
});

describe("the locale", () => {
  test.each([
    [["en-GB"], "en-us"],
    [["EN_us"], "en-us"],
    [["tlh"], "en-us"],
    [[], "en-us"],
    [["not a tag", "en"], "en-us"],
  ])("for %j is %s", (wanted, locale) => {
    expect(resolveLocale(wanted)).toBe(locale);
  });

  test("is the stored choice before the browser's languages, and English when that is unknown", () => {
    expect(wantedLocale("xx-yy", ["en-us"])).toBe("en-us");
  });

  test("is told to screen readers through the document", async () => {
    await setLocale("en-us");
    expect(document.documentElement.lang).toBe("en-US");
  });
});
