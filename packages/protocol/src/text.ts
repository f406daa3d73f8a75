import { graphemeStart } from "./graphemes.ts";

/** The size of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, i)) {
      bytes += 4;
      i++;
    } else bytes += 3; // also a lone surrogate, encoded as U+FFFD
  }
  return bytes;
}

/** The same text with each lone surrogate replaced by U+FFFD, so that every encoder agrees on its bytes. */
export function toWellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (match) =>
    match.length === 2 ? match : "\uFFFD",
  );
}

// Joiners (U+200C, U+200D) are kept: emoji and several scripts need them.
const hiddenInLine =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;

/** Cleans a text for a single line: well formed, trimmed, without control, bidirectional or zero-width characters. */
export function cleanLine(text: string): string {
  return toWellFormed(text.replace(hiddenInLine, "")).trim();
}

/** As {@link cleanLine}, but with each removed character written out, such as `\u0007`, to show where it was. */
export function writtenOut(text: string): string {
  return cleanLine(
    text.replace(hiddenInLine, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Whether {@link cleanLine} would remove a character. */
export function isHidden(character: string): boolean {
  return character.search(hiddenInLine) === 0;
}

// Characters that a terminal or editor obeys instead of displaying. Tabs and line ends are kept as text.
const hiddenInText =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Cleans a text of several lines: well formed, without control and bidirectional characters. */
export function cleanText(text: string): string {
  return toWellFormed(text.replace(hiddenInText, ""));
}

/** Whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u.test(text);
}

/** The longest prefix that fits `maxBytes` of UTF-8 and ends with a whole grapheme cluster. */
export function truncateUtf8(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) return text.slice(0, graphemeStart(text, end));
    end += character.length;
  }
  return text;
}

function isPair(text: string, i: number): boolean {
  const high = text.charCodeAt(i);
  const low = text.charCodeAt(i + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
