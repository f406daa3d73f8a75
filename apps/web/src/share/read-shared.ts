import { cleanLine, cleanText, isBlank, limits, truncated, utf8Length } from "@warren/protocol";
import { truncatedText } from "../chat/message/text/text-links.ts";
import { parseUrl } from "../platform/parse-url.ts";
import type { ForwardItem } from "../tab/forward-item.ts";

/** Longer titles and URLs are dropped. In characters. */
const titleMax = 300;
const addressMax = 2_048;
/** The largest count that is accepted. */
const leftOutMax = 999;

/** The fields of a share, all optional. */
interface SharedWords {
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/**
 * The text shared by an address of `/share`. Anyone can create such an address, so it is always a text,
 * truncated to the length of a message.
 */
export function readShared(search: string): readonly ForwardItem[] {
  const query = new URLSearchParams(search);
  const field = (name: string): string => query.get(name) ?? "";
  const text = sharedText({ title: field("title"), text: field("text"), url: field("url") });
  return text === "" ? [] : [{ type: "text", text }];
}

/** The fields of a share as one text, without repetitions, and with web addresses only. */
export function sharedText(words: SharedWords): string {
  const title = cleanLine(truncated(words.title, titleMax));
  const address = webAddress(words.url);
  const text = cleanText(
    truncatedText(words.text, limits.textBytes - utf8Length(title) - utf8Length(address) - 2),
  );
  const parts = [title, text, address].filter((part) => !isBlank(part));
  // Some apps repeat themselves: the address in the text, or the title at its start.
  const lines = parts.filter((part, i) => !parts.some((other, j) => j !== i && repeats(other, part, j < i)));
  return lines.join("\n");
}

/**
 * How many shared items could not be stored, from the address that the service worker or the server created.
 */
export function readLeftOut(search: string): number {
  const count = Number(new URLSearchParams(search).get("left-out"));
  return Number.isInteger(count) && count > 0 ? Math.min(count, leftOutMax) : 0;
}

function repeats(other: string, part: string, isEarlier: boolean): boolean {
  return other === part ? isEarlier : other.includes(part);
}

function webAddress(text: string): string {
  if (text.length > addressMax) return "";
  const url = parseUrl(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : "";
}
