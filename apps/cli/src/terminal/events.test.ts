import { readFileSync } from "node:fs";
import { errorTexts, WarrenError } from "@warren/protocol";
import { expect, it } from "vitest";
import { exitTexts, roomCommandRows } from "../commands/commands.ts";
import { errorEventOf } from "./error-event.ts";
import { eventNames, itemText, sentenceOf } from "./events.ts";
import { CommandError, exitCodes } from "./exit-code.ts";

const guide = readFileSync(new URL("../../../../docs/terminal.md", import.meta.url), "utf8");
/** The first cells of the rows of a table of the guide. */
const cells = (heading: string) => {
  const [section = ""] = guide.split(`\n## ${heading}\n`)[1]?.split("\n## ") ?? [];
  return [...section.matchAll(/^\| `?([\w-]+)`? \|/gm)]
    .map(([, cell]) => cell)
    .filter((cell) => cell !== "Code" && cell !== "event");
};

it("documents every event, every exit code and what a room understands", () => {
  expect(cells("Events").toSorted()).toEqual(eventNames.toSorted());
  expect(cells("Exit codes")).toEqual(Object.values(exitCodes).map(String));
  for (const [head, text] of roomCommandRows) expect(guide).toContain(`\n| \`${head}\` | ${text} |\n`);
  expect(exitTexts).toHaveLength(Object.keys(exitCodes).length);
});

it.each([
  ["incorrect-password", 3, "Wrong password."],
  ["signalling-unreachable", 4, "No Warren server answers there. `warren doctor` tells more."],
  ["connect-timeout", 4, "Connect timeout."],
  ["storage-full", 5, "The disk is full. The same command goes on once there is space."],
  ["transfer-declined", 2, "Declined."],
] as const)("ends with a code and a sentence for %s", (code, exitCode, message) => {
  expect(errorEventOf(new WarrenError(code))).toEqual({ event: "error", code, message, exitCode });
});

it("has a sentence for every error, and the system's for others", () => {
  for (const code of Object.keys(errorTexts) as (keyof typeof errorTexts)[])
    expect(errorEventOf(new WarrenError(code)).message).toMatch(/^\S.*\.$/s);
  expect(errorEventOf(new CommandError("No."))).toMatchObject({ message: "No.", exitCode: 1 });
  const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
  expect(errorEventOf(denied)).toMatchObject({ code: "EACCES", exitCode: 5 });
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  expect(errorEventOf(full)).toEqual(errorEventOf(new WarrenError("storage-full")));
  const closed = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  expect(errorEventOf(closed)).toMatchObject({ message: "What read the output has gone.", exitCode: 6 });
});

it("tells when an older text was written, and what it answers", () => {
  const written = new Date(2026, 10, 27, 14, 3).getTime();
  const text = {
    event: "text",
    number: null,
    from: "Mara",
    text: "At five",
    writtenAt: written,
    edited: false,
    answers: null,
  } as const;
  expect(sentenceOf({ ...text, writtenAt: Date.now() })).toBe("Mara: At five");
  expect(sentenceOf(text)).toBe("Mara, 2026-11-27 14:03: At five");
  const now = { ...text, writtenAt: Date.now() };
  expect(sentenceOf({ ...now, edited: true })).toBe("Mara, edited: At five");
  const question = "When\ndo we meet?";
  expect(sentenceOf({ ...now, answers: { from: "Bo", text: question } })).toBe(
    'Mara, to Bo ("When do we meet?"): At five',
  );
  expect(sentenceOf({ ...now, answers: { from: "Bo", text: null } })).toBe("Mara, to Bo: At five");
  const long = sentenceOf({ ...now, answers: { from: "Bo", text: "x".repeat(61) } });
  expect(long).toBe(`Mara, to Bo ("${"x".repeat(60)}…"): At five`);
});

it("tells reactions and deletions with the number of the text", () => {
  const reaction = {
    event: "reaction",
    from: "Jon",
    emoji: ["👍", "🎉"],
    number: null,
    to: { from: "Mara", text: "x".repeat(61) },
  } as const;
  expect(sentenceOf(reaction)).toBe(`Jon 👍 🎉 "${"x".repeat(60)}…"`);
  const numbered = { ...reaction, number: 3, to: { from: "Mara", text: "At five" } };
  expect(sentenceOf(numbered)).toBe('Jon 👍 🎉 #3 "At five"');
  expect(sentenceOf({ ...numbered, emoji: [] })).toBe('Jon took back a reaction to #3 "At five"');
  expect(sentenceOf({ ...reaction, emoji: ["👍"], to: { from: "Mara", text: null } })).toBe(
    "Jon 👍 a message of Mara",
  );
  expect(sentenceOf({ event: "deleted", from: "Jon", number: 3 })).toBe("Jon deleted #3.");
});

it("lets no name or text of others act on the terminal", () => {
  const evil = "\u001b]0;evil\u0007\n";
  const item = { name: evil, sizeBytes: 1, files: 2 };
  const shown = [
    itemText(item),
    sentenceOf({
      event: "text",
      number: 1,
      from: evil,
      text: `a\n${evil}`,
      writtenAt: 0,
      edited: false,
      answers: { from: evil, text: evil },
    }),
    sentenceOf({
      event: "reaction",
      from: evil,
      emoji: ["👍"],
      number: null,
      to: { from: evil, text: evil },
    }),
    sentenceOf({ event: "reaction", from: evil, emoji: [], number: null, to: { from: evil, text: null } }),
    sentenceOf({ event: "deleted", from: evil, number: 1 }),
    sentenceOf({ event: "lost", done: false, id: "", name: evil }),
    sentenceOf({ event: "offer", from: evil, ...item }),
    sentenceOf({ event: "received", from: evil, path: evil, ...item }),
    sentenceOf({ event: "stranger", id: "", name: evil }),
  ].join("");
  for (const character of ["\u001b", "\u0007"]) expect(shown).not.toContain(character);
});
