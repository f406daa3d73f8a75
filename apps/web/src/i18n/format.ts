import { currentLocale, translate } from "./i18n.ts";
import { type Locale, locales } from "./locales.ts";
import { gap } from "./spacing.ts";
import { useLocale } from "./use-t.ts";

/** The units of every displayed size: decimal, as systems and makers of disks count. */
const sizeUnits = ["B", "kB", "MB", "GB", "TB"] as const;
const unitStep = 1000;

/** The unit in which a size has at most three integer digits, and the size in it. */
function inUnit(bytes: number): { exponent: number; value: number } {
  let exponent = 0;
  let value = Math.max(0, bytes);
  // 999.5 would be written as 1000.
  while (value >= 999.5 && exponent < sizeUnits.length - 1) {
    value /= unitStep;
    exponent++;
  }
  return { exponent, value };
}

/**
 * A limit as it is said: one that is round in powers of two, such as 1 GiB, is rounded down to 1 GB, so that what is said fits. Any
 * other is itself.
 */
export function roundLimit(bytes: number): number {
  if (bytes % 1_000_000 === 0) return bytes;
  const { exponent, value } = inUnit(bytes);
  return Math.floor(value) * unitStep ** exponent;
}

function digitsAfterPoint(value: number): number {
  return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Calendar days between two times, unaffected by daylight saving. */
function daysBetween(earlier: number, later: number): number {
  return Math.round((startOfDay(later) - startOfDay(earlier)) / 86_400_000);
}

/** Words that begin a line. */
export function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

function duration(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / secondMs));
  const seconds = total % 60;
  const minutes = Math.floor(total / 60) % 60;
  const hours = Math.floor(total / 3600);
  if (hours > 0) return translate("duration.hoursMinutes", { hours, minutes });
  if (minutes === 0) return translate("duration.seconds", { seconds });
  return seconds === 0
    ? translate("duration.minutes", { minutes })
    : translate("duration.minutesSeconds", { minutes, seconds });
}

/** Above a minute an estimate's seconds are noise: round up to whole minutes. */
function roundedUp(milliseconds: number): number {
  return milliseconds <= minuteMs ? milliseconds : Math.ceil(milliseconds / minuteMs) * minuteMs;
}

function timeLeftSpoken(milliseconds: number): string {
  if (milliseconds <= minuteMs) {
    return translate("duration.spokenSeconds", { count: Math.max(0, Math.round(milliseconds / secondMs)) });
  }
  return milliseconds <= hourMs
    ? translate("duration.spokenMinutes", { count: Math.ceil(milliseconds / minuteMs) })
    : translate("duration.spokenHours", { count: Math.round(milliseconds / hourMs) });
}

/** Formats numbers and times in one locale. Times are milliseconds since 1970. */
export type Format = ReturnType<typeof createFormat>;

function createFormat(locale: Locale) {
  const tag = locales[locale].intl;
  // Each is expensive to create, and a page needs few of them.
  const time = once(
    () => new Intl.DateTimeFormat(tag, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  );
  const weekdayShort = once(() => new Intl.DateTimeFormat(tag, { weekday: "short" }));
  const weekdayLong = once(() => new Intl.DateTimeFormat(tag, { weekday: "long" }));
  const dayShort = once(() => new Intl.DateTimeFormat(tag, { day: "numeric", month: "short" }));
  const dayLong = once(() => new Intl.DateTimeFormat(tag, { day: "numeric", month: "long" }));
  const dayYear = once(
    () => new Intl.DateTimeFormat(tag, { day: "numeric", month: "short", year: "numeric" }),
  );
  const relative = once(() => new Intl.RelativeTimeFormat(tag, { numeric: "auto" }));
  const percent = once(() => new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 }));
  const conjunction = once(() => new Intl.ListFormat(tag, { type: "conjunction" }));
  // The separator of the first two of three; the last two have a conjunction between them.
  const separator = once(
    () =>
      conjunction()
        .formatToParts(["a", "b", "c"])
        .find(({ type }) => type === "literal")?.value ?? ", ",
  );

  /** By the fewest and the most digits after the point, each less than four. */
  const decimals: Intl.NumberFormat[] = [];
  const decimal = (value: number, minimumFractionDigits = 0, maximumFractionDigits = 0): string => {
    const index = 4 * minimumFractionDigits + maximumFractionDigits;
    decimals[index] ??= new Intl.NumberFormat(tag, { minimumFractionDigits, maximumFractionDigits });
    return decimals[index].format(value);
  };

  const sizeWith = (bytes: number, steady: boolean): string => {
    const { exponent, value } = inUnit(bytes);
    const digits = exponent === 0 ? 0 : digitsAfterPoint(value);
    return `${decimal(value, steady ? digits : 0, digits)} ${sizeUnits[exponent]}`;
  };

  const pastDay = (at: number, now: number): string | undefined => {
    const days = daysBetween(at, now);
    return days === 0 || days === 1 ? capitalised(relative().format(-days, "day")) : undefined;
  };

  const dateOf = (at: number, now: number, sameYear: () => Intl.DateTimeFormat): string =>
    new Date(at).getFullYear() === new Date(now).getFullYear() ? sameYear().format(at) : dayYear().format(at);

  const dayAndTime = (day: string, at: number): string =>
    translate("duration.dayAndTime", { day, time: time().format(at) });

  const isThisWeek = (at: number, now: number): boolean => {
    const days = daysBetween(at, now);
    return days > 1 && days < 7;
  };

  return {
    isSameDay: (at: number, now: number): boolean => daysBetween(at, now) === 0,
    /** "09:16" */
    time: (at: number): string => time().format(at),
    /** For rows: "09:16", "Yesterday", "Tue", "12 Nov", "12 Nov 2025". */
    stamp: (at: number, now: number): string => {
      if (daysBetween(at, now) === 0) return time().format(at);
      return (
        pastDay(at, now) ?? (isThisWeek(at, now) ? weekdayShort().format(at) : dateOf(at, now, dayShort))
      );
    },
    /** For day separators: "Today", "Yesterday", "Tuesday", "12 November". */
    day: (at: number, now: number): string =>
      pastDay(at, now) ?? (isThisWeek(at, now) ? weekdayLong().format(at) : dateOf(at, now, dayLong)),
    /** "12 November", "12 Nov 2025" */
    date: (at: number, now: number): string => dateOf(at, now, dayLong),
    /** "12 Nov 2026, 09:16" */
    dateTime: (at: number): string => dayAndTime(dayYear().format(at), at),
    /** For tables: "09:16", "Yesterday, 17:52", "12 Nov, 14:27", "12 Nov 2025, 14:27". */
    moment: (at: number, now: number): string =>
      daysBetween(at, now) === 0
        ? time().format(at)
        : dayAndTime(pastDay(at, now) ?? dateOf(at, now, dayShort), at),
    /** "1,234" */
    number: (value: number): string => decimal(value),
    /** A fraction of 0 to 1 as "45%". */
    percent: (fraction: number): string => percent().format(fraction),
    /** "862 kB", "4.1 MB", "2.47 GB": at most three digits. */
    size: (bytes: number): string => sizeWith(bytes, false),
    /** "1 GB", for a limit of 1 GiB. */
    limit: (bytes: number): string => sizeWith(roundLimit(bytes), false),
    /** "24.8 MB/s": always three digits, so that its width is stable. */
    speed: (bytesPerSecond: number): string => `${sizeWith(bytesPerSecond, true)}/s`,
    /** Both halves of "1.11 of 2.47 GB": the part has the unit and digits of the whole. */
    progress: (partBytes: number, totalBytes: number): { part: string; total: string } => {
      const { exponent, value } = inUnit(totalBytes);
      const digits = exponent === 0 ? 0 : digitsAfterPoint(value);
      const part = Math.floor((partBytes / unitStep ** exponent) * 10 ** digits) / 10 ** digits;
      return {
        part: decimal(part, digits, digits),
        total: `${decimal(value, digits, digits)} ${sizeUnits[exponent]}`,
      };
    },
    /** "Mara, Noor and Jun" */
    list: (items: readonly string[]): string =>
      conjunction()
        .formatToParts(items)
        .reduce((text, { value }) => text + gap(text, value) + value, ""),
    /** "Mara, Noor, Jun": for lists that may be continued. */
    items: (items: readonly string[]): string => items.join(separator()),
    /** "55 s", "2 min 41 s", "3 h 5 min" */
    duration,
    /** Time left: "55 s left", "4 min left". */
    timeLeft: (milliseconds: number): string =>
      translate("duration.left", { duration: duration(roundedUp(milliseconds)) }),
    /** Time left for screen readers: "55 seconds left". */
    timeLeftSpoken,
  };
}

/** Creates a value on first use. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const formats = new Map<Locale, Format>();

/** The formatter of a locale. */
export function formatFor(locale: Locale): Format {
  let format = formats.get(locale);
  if (format === undefined) {
    format = createFormat(locale);
    formats.set(locale, format);
  }
  return format;
}

/** The formatter of the current locale, outside of components; inside, use {@link useFormat}. */
export function currentFormat(): Format {
  return formatFor(currentLocale());
}

/** The formatter of the current locale; re-renders when the language changes. */
export function useFormat(): Format {
  return formatFor(useLocale());
}
