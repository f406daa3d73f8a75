import { folded } from "@warren/core";
import { memo, use, useMemo, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { useIsOwnLink } from "../../room/room-address.ts";
import { cx } from "../../ui/cx.ts";
import { HighlightContext, Highlighted } from "../../ui/text/highlighted.tsx";
import { toast } from "../../wiring/toast.ts";
import { isOnlyEmoji } from "./only-emoji.ts";
import { startOf, textPieces } from "./text-links.ts";

/** Longer or taller texts are folded, so that one message cannot fill the whole log. */
const collapsedSize = { length: 1_600, lines: 30 };

function includesQuery(text: string, foldedQuery: string): boolean {
  return folded(text).includes(foldedQuery);
}

/** A message's text with its links. Never interpreted as markup. */
export const MessageText = memo(function MessageText({ text }: { readonly text: string }) {
  const t = useT();
  const isOwnLink = useIsOwnLink();
  const [isOpened, setOpened] = useState(false);
  const pieces = useMemo(() => textPieces(text), [text]);
  const isEmoji = useMemo(() => isOnlyEmoji(text), [text]);
  const start = useMemo(() => startOf(pieces, collapsedSize), [pieces]);
  const foldedQuery = use(HighlightContext);
  const startText = start.pieces.map((piece) => piece.text).join("");
  const isFoundBelow =
    foldedQuery !== "" &&
    !start.isComplete &&
    !includesQuery(startText, foldedQuery) &&
    includesQuery(text, foldedQuery);
  const isShown = isOpened || isFoundBelow;
  return (
    <>
      <p
        dir="auto"
        className={cx(
          "whitespace-pre-wrap [overflow-wrap:anywhere]",
          isEmoji ? "font-emoji text-[2rem]/10" : "text-message",
        )}
      >
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
        {!isShown && !start.isComplete && "…"}
      </p>
      {!start.isComplete && (
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
