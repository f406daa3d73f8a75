import { memo, use, useState } from "react";
import { folded as foldedWords } from "../i18n/matches-search.ts";
import { useT } from "../i18n/use-t.ts";
import { HighlightContext, Highlighted } from "../ui/highlighted.tsx";
import { textPieces } from "./text-links.ts";

/** Longer or taller texts are folded, so that one message cannot fill the whole log. */
const foldedLength = 4_000;
const foldedLines = 60;

function folded(text: string): string {
  const lines = text.slice(0, foldedLength).split("\n", foldedLines);
  return lines.join("\n");
}

function holds(text: string, foldedQuery: string): boolean {
  return foldedWords(text).includes(foldedQuery);
}

/** A message's text with its links. Never interpreted as markup. */
export const MessageText = memo(function MessageText({ text }: { readonly text: string }) {
  const t = useT();
  const [isWhole, setWhole] = useState(false);
  const start = folded(text);
  const foldedQuery = use(HighlightContext);
  const isFoundBelow = foldedQuery !== "" && !holds(start, foldedQuery) && holds(text, foldedQuery);
  const isShown = isWhole || isFoundBelow;
  const shown = isShown ? text : start;
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap text-message [overflow-wrap:anywhere]">
        {textPieces(shown).map((piece, i) =>
          piece.kind === "text" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order
            <Highlighted key={i} text={piece.text} />
          ) : (
            <a
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order
              key={i}
              // Isolates the address: a bidi control before it would reverse its letters.
              dir="ltr"
              href={piece.href}
              title={piece.href}
              target="_blank"
              rel="noopener noreferrer"
              className="text-accent-text underline underline-offset-2"
            >
              <Highlighted text={piece.text} />
            </a>
          ),
        )}
        {!isShown && start.length < text.length && "…"}
      </p>
      {start.length < text.length && (
        <button
          type="button"
          className="mt-1 font-medium text-accent-text text-compact touch:min-h-11"
          onClick={() => setWhole(!isWhole)}
        >
          {isShown ? t("conversation.showLess") : t("conversation.showAll")}
        </button>
      )}
    </>
  );
});
