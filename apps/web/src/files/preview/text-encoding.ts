import { type Encoding, type Language, languages } from "./text-languages.ts";

/**
 * The encoding of a text, from its first bytes; null if they are no text. Decided by the byte order mark, then by strict
 * UTF-8, then by which encoding gives the most ordinary text of any language. The languages of the reader break ties,
 * as the shortest texts are ordinary in several encodings.
 */
export function detectEncoding(
  bytes: Uint8Array,
  {
    isText,
    readerLanguages,
  }: {
    /** Whether its name or type says that it is a text. Otherwise only Unicode is. */
    readonly isText: boolean;
    /** BCP 47 tags, the most likely first. */
    readonly readerLanguages: readonly string[];
  },
): Encoding | null {
  const marked = byteOrderMarks.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return marked.encoding;
  const mayBeBytewise = !bytes.subarray(0, controlledBytes).some(isControl);
  if (mayBeBytewise) {
    if (isIso2022(bytes)) return "iso-2022-jp";
    if (isUtf8(bytes)) return "utf-8";
  }
  return isText ? mostOrdinary(bytes, mayBeBytewise, readerLanguages.map(languageOf)) : null;
}

/** Decodes a text. `isCut` says that the last character may be incomplete, and is left out. */
export function decodeText(bytes: Uint8Array, encoding: Encoding, isCut: boolean): string {
  return new TextDecoder(encoding).decode(bytes, { stream: isCut });
}

/** Reads a whole file that should be a text, in whatever encoding it is. */
export async function readText(file: Blob, readerLanguages: readonly string[]): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return decodeText(bytes, detectEncoding(bytes, { isText: true, readerLanguages }) ?? "utf-8", false);
}

const byteOrderMarks = [
  { mark: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** How many bytes are searched for control characters. */
const controlledBytes = 4_096;

/** Control characters other than tab, line breaks and escape occur in binaries and UTF-16. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

/** Whether bytes are UTF-8; the last character may be cut. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** ISO 2022 has only bytes of ASCII, and escape sequences before Japanese characters: ESC $ @, $ B, ( I and ( J. */
function isIso2022(bytes: Uint8Array): boolean {
  const isEscape = (at: number): boolean =>
    (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) ||
    (bytes[at + 1] === 0x28 && (bytes[at + 2] === 0x49 || bytes[at + 2] === 0x4a));
  return bytes.every((byte) => byte < 0x80) && bytes.some((byte, at) => byte === 0x1b && isEscape(at));
}

/** The language of a BCP 47 tag, as in {@link Language.tags}. */
function languageOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return language === "zh" ? `zh-${script}` : language;
  } catch {
    return tag; // an invalid one matches nothing
  }
}

/** How many bits the first language of the reader is worth: about half a Chinese character. */
const readerBits = 5;
/** Bits that count against encodings that are rarer than others of the same languages. */
const rarities: Partial<Record<Encoding, number>> = {
  "euc-jp": 1.5,
  "iso-8859-2": 1,
  "koi8-r": 2,
  "koi8-u": 3,
  ibm866: 3,
  "utf-16le": 6,
  "utf-16be": 8,
};
/** A text has fewer bits for each character. */
const ordinaryBitsMax = 14;

/** Encodings of any language; UTF-8 also if a few of its bytes are wrong. */
const unicode = ["utf-8", "utf-16le", "utf-16be"] as const;

/** The encoding in which the bytes tell least; null if they are no text in any. */
function mostOrdinary(
  bytes: Uint8Array,
  mayBeBytewise: boolean,
  readerLanguages: readonly string[],
): Encoding | null {
  const bytewise = mayBeBytewise ? unusualLines(bytes) : new Uint8Array();
  // Equally long, so that their bits can be compared.
  const wide = bytes.subarray(0, mayBeBytewise ? bytewise.length : wideSampleBytes);
  const texts = new Map<Encoding, string>();
  let best: { readonly encoding: Encoding; readonly bits: number } | null = null;
  for (const language of languages) {
    const rank = readerLanguages.findIndex((tag) => language.tags.includes(tag));
    const knownBits = rank === -1 ? 0 : Math.max(1, readerBits - rank);
    for (const encoding of [...language.encodings, ...unicode]) {
      const isWide = encoding.startsWith("utf-16");
      if (!isWide && !mayBeBytewise) continue;
      const text = texts.get(encoding) ?? decodeText(isWide ? wide : bytewise, encoding, true);
      texts.set(encoding, text);
      const textBits = bitsOfText(text, language);
      if (isWide && textBits >= ordinaryBitsMax * text.length) continue;
      const bits = textBits + language.rarity + (rarities[encoding] ?? 0) - knownBits;
      if (best === null || bits < best.bits) best = { encoding, bits };
    }
  }
  return best?.encoding ?? null;
}

/** How many bytes are compared: fewer of what can only be UTF-16. */
const sampleBytes = 1_500;
const wideSampleBytes = 400;

/** The first lines with bytes beyond ASCII. The others are the same in every encoding. */
function unusualLines(bytes: Uint8Array): Uint8Array {
  const sample: number[] = [];
  for (let start = 0; start < bytes.length && sample.length < sampleBytes; ) {
    let end = start;
    let isAscii = true;
    for (let byte = bytes[end]; byte !== undefined && byte !== 0x0a && byte !== 0x0d; byte = bytes[++end]) {
      if (byte < 0x80) continue;
      // Of a long line the part from here on.
      if (isAscii) start = Math.max(start, end - asciiBefore);
      isAscii = false;
    }
    if (!isAscii)
      sample.push(...bytes.subarray(start, Math.min(end, start + sampleBytes - sample.length)), 0x0a);
    start = end + 1;
  }
  // Without the last line break, which would end a character that is cut.
  return Uint8Array.from(sample.slice(0, -1));
}

/** How much of a line is compared before its first byte beyond ASCII. */
const asciiBefore = 100;

/** How much a text would tell if it were in a language. */
function bitsOfText(text: string, { script, bitsOf }: Language): number {
  let bits = 0;
  let before = traitsOf(" ");
  for (const character of text) {
    const traits = traitsOf(character);
    bits += traits.bits ?? bitsOf(character);
    if (before.isLetter && traits.isLetter) {
      // Wrong encodings mix the scripts and the cases within words, and take the next letter of ASCII into a character.
      const isMixed = before.isAscii !== traits.isAscii;
      if (script === "characters") {
        if (isMixed && (traits.isAscii ? traits : before).isLower) bits += 2.5;
      } else {
        if (before.isLower && traits.isUpper) bits += 5;
        if (script === "alphabet" && isMixed) bits += 5;
        if (script === "latin" && !before.isAscii && !traits.isAscii) bits += 3;
      }
    }
    before = traits;
  }
  return bits;
}

interface Traits {
  readonly isAscii: boolean;
  readonly isLetter: boolean;
  readonly isUpper: boolean;
  readonly isLower: boolean;
  /** The bits in any language; undefined if they depend on it. */
  readonly bits: number | undefined;
}

/** Patterns take most of the time of a comparison, and a text has few different characters. */
const knownTraits = new Map<string, Traits>();

function traitsOf(character: string): Traits {
  let traits = knownTraits.get(character);
  if (traits === undefined) {
    traits = {
      isAscii: character < "\x80",
      isLetter: /[\p{L}\p{M}]/u.test(character),
      isUpper: /\p{Lu}/u.test(character),
      isLower: /\p{Ll}/u.test(character),
      bits: commonBits(character),
    };
    knownTraits.set(character, traits);
  }
  return traits;
}

function commonBits(character: string): number | undefined {
  if (character === "\uFFFD") return 30;
  if (/[a-z ]/.test(character)) return 4.5;
  if (/[0-9,.;\t\r\n]/.test(character)) return 5;
  if (/[A-Z]/.test(character)) return 6;
  if (/\p{Cc}/u.test(character)) return 25;
  return character < "\x80" ? 8 : undefined;
}
