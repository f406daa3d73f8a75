import { graphemeStart } from "@warren/protocol";

export const ellipsis = "…";

/** The start of a file name's extension, which is never cut; without one, its end. */
function extensionStart(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= 9 ? dot : name.length;
}

/**
 * Shortens a text in its middle to a width, keeping its extension, and the four characters before it while they fit. `widthTo(n)` is the rendered width of its first
 * n characters, in the same unit as `available` and `ellipsisWidth`. `uncut` is how many characters follow the name, and are kept.
 */
export function cutMiddle(
  text: string,
  available: number,
  widthTo: (length: number) => number,
  ellipsisWidth: number,
  uncut = 0,
): string {
  const whole = widthTo(text.length);
  if (whole <= available) return text;
  const spaceBefore = (start: number): number => available - ellipsisWidth - (whole - widthTo(start));
  const nameEnd = text.length - uncut;
  const extension = extensionStart(text.slice(0, nameEnd));
  const longTail = graphemeStart(text, Math.max(0, extension - 4));
  const tails = [longTail, extension, ...(uncut > 0 ? [nameEnd] : [])];
  const tail = tails.find((start) => spaceBefore(start) >= 0) ?? extension;
  const spacePx = spaceBefore(tail);
  let low = 0;
  let high = tail;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthTo(middle) <= spacePx) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, graphemeStart(text, low)).trimEnd() + ellipsis + text.slice(tail);
}
