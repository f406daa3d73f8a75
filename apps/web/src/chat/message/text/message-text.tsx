import { containsWords, folded } from "@warren/core";
import { memo, type ReactNode, use, useMemo, useState } from "react";
import { useT } from "../../../i18n/use-t.ts";
import { useIsOwnLink } from "../../../room/room-address.ts";
import { cx } from "../../../ui/cx.ts";
import { HighlightContext, Highlighted } from "../../../ui/text/highlighted.tsx";
import { toast } from "../../../wiring/toast.ts";
import { CodeBlock } from "./code-block.tsx";
import { type InlinePiece, messageBlocks, startOfBlocks, wordsOfBlocks } from "./message-blocks.ts";
import { isOnlyEmoji } from "./only-emoji.ts";
import { textPieces } from "./text-links.ts";

/** Longer or taller texts are folded, so that one message cannot fill the whole log. */
const collapsedSize = { length: 1_600, lines: 30 };

interface MessageTextProps {
  readonly text: string;
  /** Whether fences and backticks are shown as they are. */
  readonly isVerbatim?: boolean;
}

/** A message's text with its links and its code. No other markup is interpreted. */
export const MessageText = memo(function MessageText({ text, isVerbatim = false }: MessageTextProps) {
  const t = useT();
  const [isOpened, setOpened] = useState(false);
  const blocks = useMemo(
    () => (isVerbatim ? [{ kind: "text" as const, pieces: textPieces(text) }] : messageBlocks(text)),
    [text, isVerbatim],
  );
  const isEmoji = useMemo(() => isOnlyEmoji(text), [text]);
  const start = useMemo(() => startOfBlocks(blocks, collapsedSize), [blocks]);
  const words = use(HighlightContext);
  const isFoundBelow =
    words.length > 0 &&
    !start.isComplete &&
    !containsWords(folded(wordsOfBlocks(start.blocks)), words) &&
    containsWords(folded(text), words);
  const isShown = isOpened || isFoundBelow;
  const shown = isShown ? blocks : start.blocks;
  const more = !isShown && !start.isComplete && "…";
  return (
    <>
      {shown.map((block, i) => {
        const rest = i === shown.length - 1 && more;
        return block.kind === "code" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never change their order
          <CodeBlock key={i} code={block.text}>
            {rest}
          </CodeBlock>
        ) : (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never change their order
            key={i}
            dir="auto"
            className={cx(
              // A bubble is as wide as its longest line: none is broken earlier than it must be.
              "whitespace-pre-wrap [overflow-wrap:anywhere] [text-wrap-style:auto]",
              isEmoji ? "font-emoji text-[2rem]/10" : "text-message",
            )}
          >
            {block.pieces.map((piece, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order
              <Piece key={at} piece={piece} />
            ))}
            {rest}
          </p>
        );
      })}
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

function Piece({ piece }: { readonly piece: InlinePiece }): ReactNode {
  const t = useT();
  const isOwnLink = useIsOwnLink();
  const words = <Highlighted text={piece.text} />;
  if (piece.kind === "text") return words;
  if (piece.kind === "code")
    return <code className="rounded-kbd bg-surface px-1 py-px font-mono text-[0.875em]">{words}</code>;
  return (
    <a
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
      {words}
    </a>
  );
}
