import { truncated, truncateUtf8 } from "@warren/protocol";
import { parseUrl } from "../../../platform/parse-url.ts";

// Hand-written, because most of it guards against hostile senders, which a library for finding links does not: bidi
// controls, user names before the host, unknown protocols, texts full of links, and texts that are slow to search.

/** A piece of a message: text, or a link with its address. */
export type TextPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

/** Scripts without spaces, and Korean, which joins particles to words; and emoji. */
const unspaced =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Bopomofo}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{Extended_Pictographic}\\p{RI}";
/**
 * An address has ASCII without quotes and angle brackets, and letters of any script; other signs, and bidi controls,
 * which could display it as a different one, end it. Words in {@link unspaced} follow an address without a space, so they
 * belong to it only where it needs more: behind a slash, an equals sign and the like.
 */
const candidate = new RegExp(
  `(?:https?://|mailto:|www\\.)(?:[!#-;=?-\\[\\]_a-z~]|(?![${unspaced}])[\\p{L}\\p{M}\\p{N}\\u200C\\u200D]|(?<=[/=#?&_+-]|[${unspaced}\\p{M}\\u200D]\\.?)[${unspaced}])+`,
  "giu",
);
const wordBefore = new RegExp(`(?![${unspaced}])[\\p{L}\\p{N}_]`, "u");
const allowedProtocols: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);
const linkLengthMax = 2_048;
const hostLengthMax = 253;
/** Limits the elements that a text full of links can create. */
const linksMax = 200;

const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}

/**
 * Strips the punctuation of the surrounding sentence: a full stop, or a closing bracket opened before the
 * link.
 */
function withoutTrail(text: string): string {
  const surplus = new Map(
    Object.entries(closers).map(([closer, opener]) => [
      closer,
      countOf(text, closer) - countOf(text, opener),
    ]),
  );
  let end = text.length;
  for (; end > 0; end--) {
    const last = text.charAt(end - 1);
    const extra = surplus.get(last);
    if (extra !== undefined) {
      if (extra <= 0) break;
      surplus.set(last, extra - 1);
    } else if (!/[.,;:!?']/.test(last)) break;
  }
  return text.slice(0, end);
}

/** The address of a link text, or null if it must not be followed. */
function hrefOf(text: string): string | null {
  if (text.length > linkLengthMax) return null;
  const address = /^www\./i.test(text) ? `https://${text}` : text;
  const url = parseUrl(address);
  if (url === null || !allowedProtocols.has(url.protocol)) return null;
  // "https://bank.example@evil.example" displays one host and opens another.
  if (url.username !== "" || url.password !== "") return null;
  if (
    url.protocol === "mailto:"
      ? !/^[^@\s]+@[^@\s]+$/.test(url.pathname)
      : !/[.:]|^localhost$/.test(url.hostname)
  ) {
    return null;
  }
  return url.href;
}

/**
 * Whether an address ends within its host: "https://www" of "https://www.食狮.com" would lead elsewhere. Where a sentence
 * follows a host, its words do not begin with a dot and are no host themselves.
 */
function endsInHost(text: string, start: number, end: number): boolean {
  if (/[/?#]/.test(text.slice(start, end).replace(/^https?:\/\//i, ""))) return false;
  const after = text.slice(end, end + hostLengthMax);
  return (
    /^[^\0-\x7F\s\p{P}]/u.test(after) &&
    (/[.-]/.test(text.charAt(end - 1)) || /^[^\s\p{P}]+\.\p{L}/u.test(after))
  );
}

/** Splits a message into text and links. The joined pieces equal the input. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  let links = 0;
  for (const match of text.matchAll(candidate)) {
    const before = lastCharacter(text, match.index);
    if (links >= linksMax || wordBefore.test(before)) continue;
    if (endsInHost(text, match.index, match.index + match[0].length)) continue;
    const link = withoutTrail(match[0]);
    const href = hrefOf(link);
    if (href === null) continue;
    if (match.index > from) pieces.push({ kind: "text", text: text.slice(from, match.index) });
    pieces.push({ kind: "link", text: link, href });
    from = match.index + link.length;
    links++;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** The character before an index; empty at the start. */
function lastCharacter(text: string, index: number): string {
  return Array.from(text.slice(Math.max(0, index - 2), index)).at(-1) ?? "";
}

/** The start of a text, and whether it is all of it. */
interface TextStart<Piece> {
  readonly pieces: readonly Piece[];
  readonly isComplete: boolean;
}

/** The first pieces, as many as fit. A link is never cut, because half of its address leads elsewhere. */
export function startOf<Piece extends { readonly kind: string; readonly text: string }>(
  pieces: readonly Piece[],
  { length, lines }: { readonly length: number; readonly lines: number },
): TextStart<Piece> {
  const shown: Piece[] = [];
  let lengthLeft = length;
  let linesLeft = lines;
  for (const piece of pieces) {
    const start = piece.text.split("\n", linesLeft).join("\n");
    const cut = truncated(start, lengthLeft);
    if (cut.length < piece.text.length) {
      if (piece.kind === "text" && cut !== "") shown.push({ ...piece, text: cut });
      return { pieces: shown, isComplete: false };
    }
    shown.push(piece);
    lengthLeft -= cut.length;
    linesLeft -= cut.split("\n").length - 1;
  }
  return { pieces, isComplete: true };
}

/** The start of a text within `maxBytes` of UTF-8, which ends between links and graphemes. */
export function truncatedText(text: string, maxBytes: number): string {
  const start = truncateUtf8(text, maxBytes);
  return startOf(textPieces(text), { length: start.length, lines: text.length + 1 })
    .pieces.map((piece) => piece.text)
    .join("");
}
