import { cleanLine, truncated } from "@warren/protocol";

/** More characters than any row or toast can show. */
const shownMax = 160;

/** The start of a text on one line, without bidi controls. */
export function oneLine(text: string): string {
  const start = truncated(text.trimStart(), 400);
  const line = cleanLine(start.replace(/\s+/gu, " "));
  return line.length > shownMax || start.length < text.trim().length ? `${truncated(line, shownMax)}…` : line;
}
