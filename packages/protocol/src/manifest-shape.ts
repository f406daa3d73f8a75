import { limits } from "./limits.ts";

/** The values of an entry: path, size, date and type. */
const valuesPerEntry = 4;

/**
 * Finds where a text stops having the shape of a manifest outside its strings: a list of at most as many lists as a tree
 * has entries, of at most four values. `JSON.parse` makes an object of each bracket before anyone sees what it is; 16 MiB of
 * them take hundreds of megabytes.
 * @returns the index of the first character that has no place there; null if there is none. Whether it is JSON is not checked.
 */
export function misshapenAt(manifest: string): number | null {
  let depth = 0;
  let entries = 0;
  let values = 0;
  for (let at = 0; at < manifest.length; at++) {
    switch (manifest[at]) {
      case '"': {
        const end = endOfString(manifest, at);
        if (end === null) return at;
        at = end;
        break;
      }
      case "[":
        depth++;
        if (depth === 1) entries = 1;
        else if (depth === 2) values = 1;
        else return at;
        break;
      case "]":
        depth--;
        break;
      case ",":
        if (depth === 1 && ++entries > limits.treeEntries) return at;
        if (depth === 2 && ++values > valuesPerEntry) return at;
        break;
      case "{":
        return at;
    }
  }
  return null;
}

/** The index of the quote that ends a string; null if none does. */
function endOfString(text: string, start: number): number | null {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return end;
  }
  return null;
}
