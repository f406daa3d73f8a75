// @vitest-environment happy-dom
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatFor } from "./format.ts";
import { setLocale } from "./i18n.ts";

const format = formatFor("en-us");
const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;
/** A Thursday. */
const now = new Date(2026, 10, 19, 14, 5).getTime();
const at = (day: number, hour: number, minute: number, year = 2026): number =>
  new Date(year, 10, day, hour, minute).getTime();

describe("times", () => {
  test.each([
    [at(19, 9, 16), "09:16"],
    [at(18, 23, 59), "Yesterday"],
    [at(17, 8, 0), "Tue"],
    [at(13, 8, 0), "Fri"],
    [at(12, 8, 0), "12 Nov"],
    [at(12, 8, 0, 2025), "12 Nov 2025"],
    [at(20, 8, 0), "20 Nov"],
  ])("in a row: %d is %s", (time, text) => {
    expect(format.stamp(time, now)).toBe(text);
  });

  test.each([
    [at(19, 0, 0), "Today"],
    [at(18, 0, 0), "Yesterday"],
    [at(17, 0, 0), "Tuesday"],
    [at(12, 0, 0), "12 November"],
  ])("as a day separator: %d is %s", (time, text) => {
    expect(format.day(time, now)).toBe(text);
  });

  test.each([
    [at(19, 0, 0), "19 November"],
    [at(12, 0, 0, 2025), "12 Nov 2025"],
  ])("as a date: %d is %s", (time, text) => {
    expect(format.date(time, now)).toBe(text);
  });
});

describe("sizes", () => {
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [862 * kib, "862 KiB"],
    [999.4 * kib, "999 KiB"],
    [999.5 * kib, "0.98 MiB"],
    [4.1 * mib, "4.1 MiB"],
    [1.256 * gib, "1.26 GiB"],
    [18.6 * gib, "18.6 GiB"],
    [9.996 * gib, "10 GiB"],
    [41_800 * 1024 * gib, "41,800 TiB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(format.size(bytes)).toBe(text);
  });

  test("a part has the unit and digits of the whole, and is never rounded up", () => {
    expect(format.progress(1.11 * gib, 2.47 * gib)).toEqual({ part: "1.11", total: "2.47 GiB" });
    expect(format.progress(1.1 * gib, 2.47 * gib)).toEqual({ part: "1.10", total: "2.47 GiB" });
    expect(format.progress(126.9 * mib, 186 * mib)).toEqual({ part: "126", total: "186 MiB" });
    expect(format.progress(2.47 * gib - 1, 2.47 * gib).part).toBe("2.46");
  });

  test("a speed keeps three digits, so that its width is stable", () => {
    expect(format.speed(24.8 * mib)).toBe("24.8 MiB/s");
    expect(format.speed(25 * mib)).toBe("25.0 MiB/s");
  });
});

describe("durations", () => {
  test.each([
    [55_000, "55 s", "55 s left", "55 seconds left"],
    [1_000, "1 s", "1 s left", "1 second left"],
    [161_000, "2 min 41 s", "3 min left", "3 minutes left"],
    [240_000, "4 min", "4 min left", "4 minutes left"],
    [11_100_000, "3 h 5 min", "3 h 5 min left", "3 hours left"],
  ])("%d ms are %s", (milliseconds, duration, left, spoken) => {
    expect(format.duration(milliseconds)).toBe(duration);
    expect(format.timeLeft(milliseconds)).toBe(left);
    expect(format.timeLeftSpoken(milliseconds)).toBe(spoken);
  });
});

test("lists and percentages follow the language", () => {
  expect(format.list(["Mara", "Noor", "Jun"])).toBe("Mara, Noor and Jun");
  expect(format.items(["Mara", "Noor", "Jun"])).toBe("Mara, Noor, Jun");
  expect(format.percent(0.45)).toBe("45%");
});

describe.each([
  { locale: "zh-cn", tue: "周二", left: "剩余", minute: "分钟", hour: "小时", minutes: "分" },
  { locale: "zh-tw", tue: "週二", left: "剩餘", minute: "分鐘", hour: "小時", minutes: "分" },
] as const)("in $locale", ({ locale, tue, left, minute, hour, minutes }) => {
  const chinese = formatFor(locale);
  beforeAll(() => setLocale(locale));
  afterAll(() => setLocale("en-us"));

  test.each([
    [at(19, 9, 16), "09:16"],
    [at(19, 0, 5), "00:05"],
    [at(18, 23, 59), "昨天"],
    [at(17, 8, 0), tue],
    [at(12, 8, 0), "11月12日"],
    [at(12, 8, 0, 2025), "2025年11月12日"],
  ])("a time in a row: %d is %s", (time, text) => {
    expect(chinese.stamp(time, now)).toBe(text);
  });

  test.each([
    [at(19, 0, 0), "今天"],
    [at(18, 0, 0), "昨天"],
    [at(17, 0, 0), "星期二"],
    [at(12, 0, 0), "11月12日"],
  ])("a day separator: %d is %s", (time, text) => {
    expect(chinese.day(time, now)).toBe(text);
  });

  test("date and time are combined", () => {
    expect(chinese.dateTime(at(12, 9, 16))).toBe("2026年11月12日 09:16");
    expect(chinese.moment(at(18, 17, 52), now)).toBe("昨天 17:52");
    expect(chinese.moment(at(12, 14, 27), now)).toBe("11月12日 14:27");
    expect(chinese.date(at(12, 8, 0, 2025), now)).toBe("2025年11月12日");
  });

  test("sizes, speeds and percentages are formatted as in English", () => {
    expect(chinese.size(1.256 * gib)).toBe("1.26 GiB");
    expect(chinese.speed(24.8 * mib)).toBe("24.8 MiB/s");
    expect(chinese.percent(0.45)).toBe("45%");
    expect(chinese.number(12345)).toBe("12,345");
    expect(chinese.progress(1.11 * gib, 2.47 * gib)).toEqual({ part: "1.11", total: "2.47 GiB" });
  });

  test("names in a list are separated from the conjunction", () => {
    expect(chinese.list(["Mara", "Noor", "Jun"])).toBe("Mara、Noor 和 Jun");
    expect(chinese.list(["小明", "小红"])).toBe("小明和小红");
    expect(chinese.items(["Mara", "Noor", "Jun"])).toBe("Mara、Noor、Jun");
  });

  test("durations are in words", () => {
    expect(chinese.duration(55_000)).toBe("55 秒");
    expect(chinese.duration(161_000)).toBe(`2 ${minutes} 41 秒`);
    expect(chinese.duration(11_100_000)).toBe(`3 ${hour} 5 ${minute}`);
    expect(chinese.timeLeft(161_000)).toBe(`${left} 3 ${minute}`);
    expect(chinese.timeLeftSpoken(1_000)).toBe(`${left} 1 秒`);
  });
});
