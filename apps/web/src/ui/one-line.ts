import { cleanLine } from "@warren/protocol";

/** A text on one line, without bidi controls, cut to the most letters that any row or toast can show. */
export function oneLine(text: string): string {
  return cleanLine(text.slice(0, 400).replace(/\s+/gu, " ")).slice(0, 160);
}
