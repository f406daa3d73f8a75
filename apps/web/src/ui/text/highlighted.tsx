import { createContext, type ReactNode, use } from "react";
import { textMatches } from "./text-matches.ts";

/** The folded search query of the surrounding log; empty while nothing is searched. */
export const HighlightContext = createContext("");

/** A text with the search matches marked. */
export function Highlighted({ text }: { readonly text: string }) {
  const foldedQuery = use(HighlightContext);
  const ranges = textMatches(text, foldedQuery);
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
