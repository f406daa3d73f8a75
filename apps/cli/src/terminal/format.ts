/** Control characters, and those that turn the direction of a line. */
const obeyed = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text of others as one line, with what a terminal would obey written out. */
export function printable(text: string): string {
  return text.replace(obeyed, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`;
  });
}

/** Whether a terminal shows more than ASCII, by its locale. One that names none does these days. */
export function speaksUtf8({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303f\uff01-\uff60]/u;

/** A text cut so that it takes no more columns of a terminal than these. */
export function fitted(text: string, columns: number): string {
  let [cut, taken, isCut] = ["", 0, false];
  for (const { segment } of characters.segment(text)) {
    taken += wide.test(segment) ? 2 : 1;
    if (taken > columns) isCut = true;
    // A column is left for the dots.
    if (taken < columns) cut += segment;
  }
  return isCut ? `${cut}…` : text;
}

const units = ["B", "kB", "MB", "GB", "TB"];

/** A size such as `12.3 MB`. */
export function formatSize(bytes: number): string {
  let [value, power] = [bytes, 0];
  // 999.95 would be written as 1000.0.
  while (value >= 999.95 && power < units.length - 1) [value, power] = [value / 1000, power + 1];
  return `${power === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${units[power]}`;
}

/** A time such as `1:05` or `2:00:00`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** A moment such as `2026-11-27 14:03`, in the time zone of this machine. */
export function formatMoment(epochMs: number): string {
  const at = new Date(epochMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
