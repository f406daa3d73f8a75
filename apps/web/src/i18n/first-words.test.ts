import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { enUs } from "../locales/en-us.ts";
import { enUsChat } from "../locales/en-us-chat.ts";
import { enUsDialogs } from "../locales/en-us-dialogs.ts";
import { enUsFiles } from "../locales/en-us-files.ts";
import { enUsLater } from "../locales/en-us-later.ts";
import { enUsSettings } from "../locales/en-us-settings.ts";
import { createTranslator } from "./translator.ts";

const source = join(import.meta.dirname, "..");

/** The app's files that the first page is made of: what the entry imports, directly or through others. */
function firstFiles(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const code = readFileSync(file, "utf8");
  found.set(file, code);
  for (const [, path] of code.matchAll(/^(?:import|export) (?!type\b)(?:[^;]*? from )?"(\.[^"]+\.tsx?)";/gm))
    firstFiles(join(dirname(file), path ?? ""), found);
  return found;
}

test("the first page names no word that comes later", () => {
  const files = firstFiles(join(source, "main.tsx"));
  expect(files.size).toBeGreaterThan(100);
  expect(files.has(join(source, "app/pages/chat-page.tsx"))).toBe(true);
  const first = createTranslator("en-us", enUs);
  const later = createTranslator("en-us", {});
  for (const texts of [enUsChat, enUsDialogs, enUsFiles, enUsLater, enUsSettings]) later.add(texts);
  const missing = [...files].flatMap(([file, code]) =>
    [...code.matchAll(/"(\w+(?:\.[\w-]+)+)"/g)]
      .map(([, name = ""]) => name)
      // With a count the forms of plurals are found too.
      .filter((name) => later.translate(name, { count: 2 }) !== undefined)
      .filter((name) => first.translate(name, { count: 2 }) === undefined)
      .map((name) => `${relative(source, file)}: ${name}`),
  );
  expect(missing).toEqual([]);
});
