import { startOf, type TextPiece, textPieces } from "./text-links.ts";

/** A part of a message with lines of its own: text, or the code between two fences. */
export type MessageBlock =
  | { readonly kind: "text"; readonly pieces: readonly InlinePiece[] }
  | { readonly kind: "code"; readonly text: string };

/** A piece of a text: words, a link, or code between two backticks. */
export type InlinePiece = TextPiece | { readonly kind: "code"; readonly text: string };

/** Limits the elements that a text full of code can create. */
const codesMax = 200;

const opensFence = /^\s{0,3}```[^`]*$/;
const closesFence = /^\s{0,3}```\s*$/;

/**
 * Splits a message at its fences (lines that begin with three backticks), and its texts at links and backticks. A fence without an
 * end is text, and so is every other markup.
 */
export function messageBlocks(text: string): readonly MessageBlock[] {
  const lines = text.split("\n");
  const lastFence = lines.findLastIndex((line) => closesFence.test(line));
  const blocks: MessageBlock[] = [];
  let words: string[] = [];
  const endText = (): void => {
    if (words.length > 0) blocks.push({ kind: "text", pieces: inlinePieces(words.join("\n")) });
    words = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isFence = at < lastFence && blocks.length < codesMax && opensFence.test(line);
    let end = at + 1;
    while (isFence && !closesFence.test(lines[end] ?? "")) end++;
    const code = isFence ? lines.slice(at + 1, end).join("\n") : "";
    if (code.trim() === "") words.push(line);
    else {
      endText();
      blocks.push({ kind: "code", text: code });
      at = end;
    }
  }
  endText();
  return blocks;
}

/** Splits a text at its backticks; what stands between two of them on one line is code, and no link. */
function inlinePieces(text: string): readonly InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let from = 0;
  const addText = (until: number): void => {
    if (until > from) pieces.push(...textPieces(text.slice(from, until)));
  };
  for (const match of text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)) {
    const [whole, code = ""] = match;
    if (code.trim() === "" || pieces.length >= codesMax) continue;
    addText(match.index);
    pieces.push({ kind: "code", text: code });
    from = match.index + whole.length;
  }
  addText(text.length);
  return pieces;
}

/** The start of a message, and whether it is all of it. */
interface MessageStart {
  readonly blocks: readonly MessageBlock[];
  readonly isComplete: boolean;
}

/** The first blocks, as many as fit; of the last one as much as fits. */
export function startOfBlocks(
  blocks: readonly MessageBlock[],
  limit: { readonly length: number; readonly lines: number },
): MessageStart {
  const shown: MessageBlock[] = [];
  let { length, lines } = limit;
  for (const block of blocks) {
    const pieces = block.kind === "code" ? [{ kind: "text" as const, text: block.text }] : block.pieces;
    const start = startOf<InlinePiece>(pieces, { length, lines });
    const text = start.pieces.map((piece) => piece.text).join("");
    if (text !== "")
      shown.push(block.kind === "code" ? { ...block, text } : { ...block, pieces: start.pieces });
    if (!start.isComplete) return { blocks: shown, isComplete: false };
    length -= text.length;
    lines -= text.split("\n").length;
  }
  return { blocks, isComplete: true };
}

/** The words of blocks, without their fences and backticks. */
export function wordsOfBlocks(blocks: readonly MessageBlock[]): string {
  return blocks
    .map((block) => (block.kind === "code" ? block.text : block.pieces.map((piece) => piece.text).join("")))
    .join("\n");
}
