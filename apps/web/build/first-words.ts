import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";

/** Texts by name, in groups, as in src/i18n/en-us.ts. */
interface Words {
  readonly [name: string]: string | Words;
}

const staticImport = /^(?:import|export)\s(?!type\b)[^"';]*?["'](\.[^"']+\.tsx?)["'];?$/gm;
const wholeKey = /["'`]([a-z]\w*(?:\.[\w-]+)+)["'`]/gi;
const keyPrefix = /`([a-z]\w*(?:\.[\w-]+)*\.)\$\{/gi;

/** A file and all that it imports statically from its own project, as text. */
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
 * The words that code can show: those whose key it names, all forms of a plural, and every key that continues a template
 * such as `error.${code}`.
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
 * Leaves of `en-us.ts?first` only the words that the code of the first screens names, so that meeting does not wait for those of the
 * others. The whole file of a language comes with the first code that is fetched later (src/ui/on-demand.tsx).
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
