import { describe, expect, it } from "vitest";
import { type MessageBlock, messageBlocks, startOfBlocks } from "./message-blocks.ts";

/** Blocks as one line each: code in angle brackets, code within a text in square ones. */
const shown = (blocks: readonly MessageBlock[]) =>
  blocks.map((block) =>
    block.kind === "code"
      ? `<${block.text}>`
      : block.pieces.map(({ kind, text }) => (kind === "code" ? `[${text}]` : text)).join(""),
  );

describe("a message", () => {
  it("shows what stands between fences as code, with its spaces and empty lines", () => {
    const text = "Run:\n```sh\nmake\n\n  make test\n```\nand tell me";
    expect(shown(messageBlocks(text))).toEqual(["Run:", "<make\n\n  make test>", "and tell me"]);
  });

  it("shows a fence as text if it has no end or nothing in it", () => {
    for (const text of ["```\nmake", "```\n```", "``` and so on ```\nx"])
      expect(shown(messageBlocks(text)).join("\n")).toBe(text);
  });

  it("shows what stands between two backticks of a line as code, and links nothing in it", () => {
    expect(shown(messageBlocks("use `make test` now"))).toEqual(["use [make test] now"]);
    for (const text of ["a ` b", "a `\n` b", "` `"]) expect(shown(messageBlocks(text))).toEqual([text]);
    const [block] = messageBlocks("`https://example.org` or https://example.org");
    expect(block?.kind === "text" && block.pieces.map(({ kind }) => kind)).toEqual(["code", "text", "link"]);
  });

  it("takes no time worth a word for a text full of fences", () => {
    const hostile = [`${"```a\n".repeat(50_000)}\`\`\``, "```\n```\n".repeat(25_000), "`a".repeat(100_000)];
    const before = performance.now();
    for (const text of hostile) messageBlocks(text);
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

describe("the start of a message", () => {
  const start = (text: string) => startOfBlocks(messageBlocks(text), { length: 20, lines: 3 });

  it("is all of a short one", () => {
    expect(start("a\n```\nb\n```").isComplete).toBe(true);
  });

  it("ends within the code, or before it, where the space ends", () => {
    expect(shown(start(`a\n\`\`\`\n${"b".repeat(40)}\n\`\`\``).blocks)).toEqual(["a", `<${"b".repeat(19)}>`]);
    expect(shown(start("a\n```\nb\nc\nd\n```").blocks)).toEqual(["a", "<b\nc>"]);
    expect(shown(start("a\nb\nc\n```\nd\n```").blocks)).toEqual(["a\nb\nc"]);
  });
});
