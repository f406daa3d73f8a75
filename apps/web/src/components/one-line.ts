/** A text on one line, of at most as many letters as any row or toast can show. */
export function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/gu, " ").trim().slice(0, 160);
}
