import { firstGrapheme } from "@warren/protocol";

const hues = [25, 75, 160, 195, 235, 270, 300, 345] as const;

/**
 * The first letters of the first two words of a name, in capitals: "Mara Lindqvist" gives "ML". Brackets and the like do not
 * count, nor does what follows the separator before an id.
 */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  const characters = words.map((word) => capital(word.replace(punctuation, ""))).join("");
  return characters || capital(name.trim());
}

/** All of a word, or what precedes its first letter: the signs of emoji such as #️⃣ precede none. */
const punctuation = /^\p{P}+(?=[\p{L}\p{N}]|$)/u;

/** The first letter of a word as a capital; of a capital of two letters, as of ß, the first one. */
function capital(word: string): string {
  return firstGrapheme(firstGrapheme(word).toLocaleUpperCase());
}

/** The hue (degrees in oklch) of an id's avatar: one of eight, the same on every screen. */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5; // FNV-1a
  for (let i = 0; i < id.length; i++) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  }
  return hues[(hash >>> 0) % hues.length] ?? hues[0];
}
