import { readFileSync } from "node:fs";
import type { KeyValueStorage } from "@warren/core";
import { writeAtomically } from "./atomic-file.ts";

/** Small texts by key in a JSON file, read once. A file that cannot be read counts as empty, as core repairs each text. */
export class SettingsFile implements KeyValueStorage {
  readonly #path: string;
  readonly #texts: Map<string, string>;

  constructor(path: string) {
    this.#path = path;
    this.#texts = new Map(readTexts(path));
  }

  read(key: string): string | null {
    return this.#texts.get(key) ?? null;
  }

  write(key: string, value: string): void {
    if (this.#texts.get(key) === value) return;
    this.#texts.set(key, value);
    this.#save();
  }

  remove(key: string): void {
    if (this.#texts.delete(key)) this.#save();
  }

  #save(): void {
    writeAtomically(this.#path, JSON.stringify(Object.fromEntries(this.#texts), null, 2));
  }
}

function readTexts(path: string): [string, string][] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    const entries = typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
    return entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  } catch {
    return [];
  }
}
