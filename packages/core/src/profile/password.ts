import { WarrenError } from "@warren/protocol";
import { randomBelow } from "../shared/ids.ts";

/** The shortest password the generator makes. */
export const passwordLengthMin = 4;
/** The generator's default length. */
export const passwordLengthDefault = 12;

// Without look-alikes (0 O, 1 l I), because people read passwords to each other, and with the symbols that a link carries as
// they are: encoded ones take three characters, and make a QR code harder to scan.
const classes = ["ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "23456789", "!*-_~"] as const;

/**
 * A random password with at least one upper-case letter, lower-case letter, digit and symbol.
 * @throws WarrenError `password-too-short` below {@link passwordLengthMin}.
 */
export function generatePassword(length: number = passwordLengthDefault): string {
  if (length < passwordLengthMin) throw new WarrenError("password-too-short");
  const all = classes.join("");
  const characters = classes.map(pickFrom);
  while (characters.length < length) characters.push(pickFrom(all));
  return shuffle(characters).join("");
}

function pickFrom(alphabet: string): string {
  return alphabet.charAt(randomBelow(alphabet.length));
}

function shuffle<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomBelow(i + 1);
    const [a, b] = [items[i], items[j]];
    if (a === undefined || b === undefined) continue;
    items[i] = b;
    items[j] = a;
  }
  return items;
}
