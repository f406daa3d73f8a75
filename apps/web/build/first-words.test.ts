import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { enUs } from "../src/i18n/en-us.ts";
import { staticSources, wordsNamedIn } from "./first-words.ts";

test("includes the texts that code names, with all plural forms and all completions of a template", () => {
  const words = {
    door: { open: "Open", shut: "Shut", guests_one: "A guest", guests_other: "{{count}} guests" },
    error: { lost: "Lost", late: "Late" },
    attic: { dust: "Dust" },
  };
  const sources = ['t("door.open"); t("door.guests", { count })', ["t(`error.$", "{code}`)"].join("")];
  expect(wordsNamedIn(sources, words)).toEqual({
    door: { open: "Open", guests_one: "A guest", guests_other: "{{count}} guests" },
    error: { lost: "Lost", late: "Late" },
  });
});

test("the first screens have their texts, but none of the settings", () => {
  const entries = ["../src/main.ts", "../src/app/start-app.tsx"];
  const sources = staticSources(entries.map((file) => fileURLToPath(new URL(file, import.meta.url))));
  const first = wordsNamedIn(sources, enUs);
  expect(first).toMatchObject({
    arrival: { join: "Join room" },
    people: { status: enUs.people.status },
    error: enUs.error,
  });
  expect(Object.keys(first)).not.toContain("settings");
  expect(JSON.stringify(first).length).toBeLessThan(JSON.stringify(enUs).length / 2);
});
