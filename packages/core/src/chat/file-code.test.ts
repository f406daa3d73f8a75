/// <reference types="node" />
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const folders = ["chat", "files", "transfer"].map((name) => join(import.meta.dirname, "..", name));
const own = "file-code.ts";
/** Only where the platform can not inflate, or does not digest. */
const rare: readonly string[] = ["inflate-slices.ts", "sha2.js"];

/** The files that a source imports on demand. */
function onDemand(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/\bimport\("([^"]+)"\)/g)].map(([, file = ""]) =>
    basename(file),
  );
}

it("is loaded for files, once somebody is met, whatever part of core asks for it on demand", () => {
  const sources = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== own)
      .map((name) => join(folder, name)),
  );
  const asked = new Set(sources.flatMap(onDemand).filter((name) => name !== own && !rare.includes(name)));
  expect(new Set(onDemand(join(import.meta.dirname, own)))).toEqual(asked);
});
