// @vitest-environment happy-dom
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatFor } from "./format.ts";
import { setLocale } from "./i18n.ts";

const format = formatFor("en-us");
const kb = 1000;
const mb = 1000 * kb;
const gb = 1000 * mb;
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
    [862 * kb, "862 kB"],
    [999.4 * kb, "999 kB"],
    [999.5 * kb, "1 MB"],
    [4.1 * mb, "4.1 MB"],
    [1.256 * gb, "1.26 GB"],
    [18.6 * gb, "18.6 GB"],
    [9.996 * gb, "10 GB"],
    [41_800 * 1000 * gb, "41,800 TB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(format.size(bytes)).toBe(text);
  });

  test.each([
    [1024 ** 3, "1 GB"],
    [64 * 1024 ** 2, "67 MB"],
    [1.5 * gb, "1.5 GB"],
    [3 * mb, "3 MB"],
  ])("a limit of %d bytes is said as %s", (bytes, text) => {
    expect(format.limit(bytes)).toBe(text);
  });

  test("a part has the unit and digits of the whole, and is never rounded up", () => {
    expect(format.progress(1.11 * gb, 2.47 * gb)).toEqual({ part: "1.11", total: "2.47 GB" });
    expect(format.progress(1.1 * gb, 2.47 * gb)).toEqual({ part: "1.10", total: "2.47 GB" });
    expect(format.progress(126.9 * mb, 186 * mb)).toEqual({ part: "126", total: "186 MB" });
    expect(format.progress(2.47 * gb - 1, 2.47 * gb).part).toBe("2.46");
  });

  test("a speed keeps three digits, so that its width is stable", () => {
    expect(format.speed(24.8 * mb)).toBe("24.8 MB/s");
    expect(format.speed(25 * mb)).toBe("25.0 MB/s");
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
    expect(chinese.size(1.256 * gb)).toBe("1.26 GB");
    expect(chinese.speed(24.8 * mb)).toBe("24.8 MB/s");
    expect(chinese.percent(0.45)).toBe("45%");
    expect(chinese.number(12345)).toBe("12,345");
    expect(chinese.progress(1.11 * gb, 2.47 * gb)).toEqual({ part: "1.11", total: "2.47 GB" });
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
