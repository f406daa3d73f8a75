import { createContext, type ReactNode, use } from "react";
import { textMatches } from "./text-matches.ts";

export const noWords: readonly string[] = [];

/** The folded words that what is inside was found by; none where nothing was searched or found. */
export const HighlightContext = createContext(noWords);

/** A text with each found word marked. */
export function Highlighted({ text }: { readonly text: string }) {
  const ranges = textMatches(text, use(HighlightContext));
  if (ranges.length === 0) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(from, start));
    parts.push(
      <mark key={start} className="rounded-[3px] bg-warn-dot/35 text-text">
        {text.slice(start, end)}
      </mark>,
    );
    from = end;
  }
  parts.push(text.slice(from));
  return parts;
}
