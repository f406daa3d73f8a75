import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { utf8 } from "./crypto/encoding.ts";
import { safetyCodeIndexes, safetyCodeNumbers, safetyCodeOf } from "./sas.ts";
import { safetyEmoji } from "./sas-emoji.ts";
import {
  establish,
  newMember,
  noPassword,
  repetitions,
  timeoutMs,
  towards,
} from "./testing/handshake-fixtures.ts";

const roomTag = new Uint8Array(32).fill(9);

/** Deterministic bytes instead of random ones, so that the counts are reproducible. */
const draw = (label: string, trial: number, length: number) =>
  sha256(utf8(`${label} ${trial}`)).subarray(0, length);
const party = (name: string, nonce: Uint8Array) => ({
  nonce,
  fingerprint: draw(`fingerprint of ${name}`, 0, 32),
  publicKey: new Uint8Array(0),
});
const alice = (trial: number) => party("Alice", draw("nonce of Alice", trial, 16));
const bob = (trial: number) => party("Bob", draw("nonce of Bob", trial, 16));
const eve = (label: string, trial: number) => party("Eve", draw(label, trial, 16));
/** Codes are shortened to 8 bits, so that a chance of 1 in 256 can be measured. */
const cut = (code: Uint8Array) => code[0];

/**
 * Eve is between Alice (initiator) and Bob (responder) with her own certificate. She searches among `tries` nonces for one
 * that gives Alice the same code as Bob, if Alice's nonce were `guess`.
 */
function eveMatches(trial: number, tries: number, guess: Uint8Array): boolean {
  const bobSees = cut(safetyCodeOf(roomTag, eve("nonce towards Bob", trial), bob(trial)));
  const candidates = Array.from({ length: tries }, (_, i) => eve("search", trial * tries + i));
  const assumed = party("Alice", guess);
  const chosen =
    candidates.find((one) => cut(safetyCodeOf(roomTag, assumed, one)) === bobSees) ?? candidates[0];
  if (chosen === undefined) throw new Error("no candidates");
  return cut(safetyCodeOf(roomTag, alice(trial), chosen)) === bobSees;
}

test("T10: with the commitment, an attacker that searches is no better than chance", () => {
  const trials = repetitions(4_000, 20_000);
  let matches = 0;
  for (let trial = 0; trial < trials; trial++) {
    // The commitment hides Alice's nonce until Eve has sent hers, so she can only guess it.
    if (eveMatches(trial, 4, draw("guess", trial, 16))) matches++;
  }
  const expected = trials / 256;
  expect(Math.abs(matches - expected)).toBeLessThanOrEqual(3 * Math.sqrt(expected));
});

test("T10: the same search succeeds once the nonce is known, which is what the commitment prevents", () => {
  const trials = 10;
  let matches = 0;
  for (let trial = 0; trial < trials; trial++) {
    if (eveMatches(trial, 2_048, alice(trial).nonce)) matches++;
  }
  expect(matches).toBe(trials);
});

test(
  "T10: an attacker with two complete runs shows two different codes",
  async () => {
    const trials = repetitions(10, 2_000);
    const [a, b, e] = [await newMember(), await newMember(), await newMember()];
    for (let trial = 0; trial < trials; trial++) {
      // In a room without a password, the server can put Eve between Alice and Bob.
      const left = await establish(towards(a, e, noPassword), towards(e, a, noPassword));
      const right = await establish(towards(e, b, noPassword), towards(b, e, noPassword));
      expect(equalBytes(left.a.sas, right.b.sas)).toBe(false);
    }
  },
  timeoutMs(2 * repetitions(10, 2_000)),
);

test(
  "T11: honest sides show the same code, a different one in each run",
  async () => {
    const runs = repetitions(15, 2_000);
    const [a, b] = [await newMember(), await newMember()];
    const seen = new Set<string>();
    for (let i = 0; i < runs; i++) {
      const both = await establish(towards(a, b, noPassword), towards(b, a, noPassword));
      expect(safetyCodeIndexes(both.a.sas)).toEqual(safetyCodeIndexes(both.b.sas));
      seen.add(safetyCodeNumbers(safetyCodeIndexes(both.a.sas)).join(" "));
    }
    expect(seen.size).toBe(runs);
  },
  timeoutMs(repetitions(15, 2_000)),
);

test("a code depends on who initiated, and on which side lacks a key", () => {
  const a = { ...alice(0), publicKey: new Uint8Array(91).fill(1) };
  const b = bob(0);
  const swapped = [
    { ...a, publicKey: b.publicKey },
    { ...b, publicKey: a.publicKey },
  ] as const;
  expect(safetyCodeOf(roomTag, a, b)).not.toEqual(safetyCodeOf(roomTag, b, a));
  expect(safetyCodeOf(roomTag, a, b)).not.toEqual(safetyCodeOf(roomTag, ...swapped));
});

test("there are 64 emoji with distinct pictures and names", () => {
  expect(safetyEmoji).toHaveLength(64);
  expect(new Set(safetyEmoji.map(({ emoji }) => emoji)).size).toBe(64);
  expect(new Set(safetyEmoji.map(({ name }) => name)).size).toBe(64);
  expect([safetyEmoji[0]?.name, safetyEmoji[32]?.name, safetyEmoji[63]?.name]).toEqual(["Dog", "Hat", "Pin"]);
});
