import { parseUrl } from "../ui/parse-url.ts";

// Hand-written, because most of it guards against hostile senders, which a library for finding links does not: bidi
// controls, user names before the host, unknown protocols, texts full of links, and texts that are slow to search.

/** A piece of a message: text, or a link with its address. */
type TextPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

// A bidi control ends an address, which could otherwise be displayed as a different one. Chinese has no
// spaces: its punctuation ends an address, and its characters may directly precede one.
const candidate =
  /(?:https?:\/\/|mailto:|www\.)[^\s\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069<>"`{}|\\^，。、；：！？（）「」『』【】《》“”]+/giu;
const wordBefore = /(?!\p{sc=Han})[\p{L}\p{N}_]/u;
const allowedProtocols: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);
const linkLengthMax = 2_048;
/** Limits the elements that a text full of links can create. */
const linksMax = 200;

const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

function countOf(text: string, letter: string): number {
  return text.split(letter).length - 1;
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
    } else if (!/[.,;:!?'’”»…]/u.test(last)) break;
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

/** Splits a message into text and links. The joined pieces equal the input. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  let links = 0;
  for (const match of text.matchAll(candidate)) {
    const before = text[match.index - 1];
    if (links >= linksMax || (before !== undefined && wordBefore.test(before))) continue;
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
