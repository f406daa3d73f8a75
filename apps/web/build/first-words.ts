import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";

/** Texts by key, in groups, as in src/i18n/en-us.ts. */
interface Words {
  readonly [name: string]: string | Words;
}

const staticImport = /^(?:import|export)\s(?!type\b)[^"';]*?["'](\.[^"']+\.tsx?)["'];?$/gm;
const wholeKey = /["'`]([a-z]\w*(?:\.[\w-]+)+)["'`]/gi;
const keyPrefix = /`([a-z]\w*(?:\.[\w-]+)*\.)\$\{/gi;

/** The source of the given files and of their static imports within the project. */
export function staticSources(entries: readonly string[]): string[] {
  const files = new Set(entries);
  const sources: string[] = [];
  for (const file of files) {
    const source = readFileSync(file, "utf8");
    sources.push(source);
    for (const [, path = ""] of source.matchAll(staticImport)) files.add(resolve(dirname(file), path));
  }
  return sources;
}

/**
 * The texts that code can show: those whose key it names, all forms of a plural, and every key that completes
 * a template such as `error.${code}`.
 */
export function wordsNamedIn(sources: readonly string[], words: Words): Words {
  const named = new Set<string>();
  const prefixes = new Set<string>();
  for (const source of sources) {
    for (const [, key = ""] of source.matchAll(wholeKey)) named.add(key);
    for (const [, prefix = ""] of source.matchAll(keyPrefix)) prefixes.add(prefix);
  }
  const isShown = (key: string): boolean =>
    named.has(key) ||
    named.has(key.replace(/_(?:zero|one|two|few|many|other)$/, "")) ||
    [...prefixes].some((prefix) => key.startsWith(prefix));
  const pick = (node: Words, path: string): Words =>
    Object.fromEntries(
      Object.entries(node).flatMap(([name, value]): [string, string | Words][] => {
        if (typeof value === "string") return isShown(path + name) ? [[name, value]] : [];
        const group = pick(value, `${path}${name}.`);
        return Object.keys(group).length === 0 ? [] : [[name, group]];
      }),
    );
  return pick(words, "");
}

/**
 * Reduces `en-us.ts?first` to the texts named in the code of the first screens, so that meeting does not wait
 * for the others. The complete file of a language is loaded with the first code fetched on demand
 * (src/ui/on-demand.tsx).
 */
export function keepFirstWords(entries: readonly string[], words: Words): Plugin {
  return {
    name: "keep-first-words",
    apply: "build",
    load: {
      filter: { id: /[\\/]en-us\.ts\?first$/ },
      handler: () => `export const enUs = ${JSON.stringify(wordsNamedIn(staticSources(entries), words))};`,
    },
  };
}
