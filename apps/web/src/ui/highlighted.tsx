import { createContext, type ReactNode, use } from "react";
import { textMatches } from "../i18n/text-matches.ts";

/** The folded words that are looked for in the log around; empty while nothing is. */
export const HighlightContext = createContext("");

/** A text with what is looked for marked in it. */
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
