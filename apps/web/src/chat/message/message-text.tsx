import { folded as foldedWords } from "@warren/core";
import { memo, use, useMemo, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { useIsOwnLink } from "../../room/room-address.ts";
import { HighlightContext, Highlighted } from "../../ui/highlighted.tsx";
import { toast } from "../../wiring/toast.tsx";
import { fold, textPieces } from "./text-links.ts";

/** Longer or taller texts are folded, so that one message cannot fill the whole log. */
const folding = { length: 4_000, lines: 60 };

function holds(text: string, foldedQuery: string): boolean {
  return foldedWords(text).includes(foldedQuery);
}

/** A message's text with its links. Never interpreted as markup. */
export const MessageText = memo(function MessageText({ text }: { readonly text: string }) {
  const t = useT();
  const isOwnLink = useIsOwnLink();
  const [isOpened, setOpened] = useState(false);
  const pieces = useMemo(() => textPieces(text), [text]);
  const start = useMemo(() => fold(pieces, folding), [pieces]);
  const foldedQuery = use(HighlightContext);
  const startText = start.pieces.map((piece) => piece.text).join("");
  const isFoundBelow =
    foldedQuery !== "" && !start.isWhole && !holds(startText, foldedQuery) && holds(text, foldedQuery);
  const isShown = isOpened || isFoundBelow;
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap text-message [overflow-wrap:anywhere]">
        {(isShown ? pieces : start.pieces).map((piece, i) =>
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
              onClick={(event) => {
                if (!isOwnLink(piece.href)) return;
                event.preventDefault();
                toast.info(t("connection.alreadyHere"), { id: "link/here" });
              }}
              className="text-accent-text underline underline-offset-2"
            >
              <Highlighted text={piece.text} />
            </a>
          ),
        )}
        {!isShown && !start.isWhole && "…"}
      </p>
      {!start.isWhole && (
        <button
          type="button"
          className="mt-1 font-medium text-accent-text text-compact touch:min-h-11"
          onClick={() => setOpened(!isOpened)}
        >
          {isShown ? t("conversation.showLess") : t("conversation.showAll")}
        </button>
      )}
    </>
  );
});
