import { cleanLine, cleanText, isBlank, limits, truncateUtf8 } from "@warren/protocol";
import type { ForwardItem } from "../../dialogs/forward/forward-item.ts";

/** Longer ones are no titles and no addresses. In letters. */
const titleMax = 300;
const addressMax = 2_048;

/**
 * What another app shares by the address of `/share`: anybody can make such an address, so it is only ever a text,
 * cut to what a message holds. An address that is no web page's is left out.
 */
export function readShared(search: string): readonly ForwardItem[] {
  const query = new URLSearchParams(search);
  const title = cleanLine((query.get("title") ?? "").slice(0, titleMax));
  const text = cleanText(truncateUtf8(query.get("text") ?? "", limits.textBytes));
  const address = webAddress(query.get("url") ?? "");
  const parts = [title, text, address].filter((part) => !isBlank(part));
  // Some apps give the same words twice: an address in the text too, a title that begins the text.
  const lines = parts.filter((part, i) => !parts.some((other, j) => j !== i && holds(other, part, j < i)));
  const data = truncateUtf8(lines.join("\n"), limits.textBytes);
  return data === "" ? [] : [{ type: "text", text: data }];
}

function holds(other: string, part: string, isEarlier: boolean): boolean {
  return other === part ? isEarlier : other.includes(part);
}

function webAddress(text: string): string {
  if (text.length > addressMax) return "";
  try {
    const { protocol, href } = new URL(text);
    return protocol === "http:" || protocol === "https:" ? href : "";
  } catch {
    return "";
  }
}
