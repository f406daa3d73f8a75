import { cleanLine } from "@warren/protocol";

/** A text on one line, without controls of writing direction, of at most as many letters as any row or toast can show. */
export function oneLine(text: string): string {
  return cleanLine(text.slice(0, 400).replace(/\s+/gu, " ")).slice(0, 160);
}
