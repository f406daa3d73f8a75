import type { Block } from "@warren/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { noise } from "../../testing/file-peers.ts";
import { BlockAssembler } from "./block-assembler.ts";

const isLong = process.env.WARREN_LONG === "1";
const chunkSize = 16 * 1024;
const chunkCount = 8;
const bytes = noise(chunkCount * chunkSize - 100);
const file = { fileSize: bytes.byteLength, chunkSize };

/** The fate of a block in flight. */
interface Fate {
  readonly isLost: boolean;
  readonly copies: number;
  /** Its position in the order of arrival. */
  readonly place: number;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  isLost: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
  copies: fc.constantFrom(1, 1, 1, 2, 3),
  place: fc.nat(1_000),
});

/** A sender with several lanes. Each chunk goes over one lane; a lane may reorder blocks, and may die. */
const schedule = fc.record({
  blockSize: fc.integer({ min: 4_096, max: 9_000 }),
  lanes: fc.integer({ min: 1, max: 8 }),
  isOrdered: fc.boolean(),
  /** The message of a round from which on a lane delivers nothing. */
  deaths: fc.array(fc.record({ lane: fc.nat(7), from: fc.nat(60) }), { maxLength: 3 }),
  fates: fc.array(fate, { minLength: 10, maxLength: 30 }),
  /** Whether the receiver drops open chunks before it requests again, as it does after ten quiet seconds. */
  dropsOpen: fc.boolean(),
});

type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

function blocksOf(chunk: number, blockSize: number): Block[] {
  const original = bytes.subarray(chunk * chunkSize, (chunk + 1) * chunkSize);
  const count = Math.ceil(original.byteLength / blockSize);
  return Array.from({ length: count }, (_, block) => ({
    ...{ chunk, block, last: block === count - 1, encoding: "plain", digest: null },
    data: original.slice(block * blockSize, (block + 1) * blockSize),
  }));
}

/** The blocks of requested chunks that arrive in a round, in order; in the last round all of them arrive. */
function arriving(asked: readonly number[], round: number, { fates, lanes, ...how }: Schedule): Block[] {
  const isLast = round === 6;
  let message = 0;
  const sent = asked.flatMap((chunk) => {
    const lane = (chunk + round) % lanes;
    return blocksOf(chunk, how.blockSize).flatMap((block) => {
      const n = message++;
      const { isLost, copies, place } = fates[(n * 7 + round * 13) % fates.length] ?? expect.fail();
      const isDead = how.deaths.some((death) => death.lane === lane && n >= death.from);
      if (!isLast && (isLost || isDead)) return [];
      return Array.from({ length: copies }, (_, copy) => ({ block, lane, at: place * (copy + 1), n }));
    });
  });
  const shuffled = sent.toSorted((a, b) => a.at - b.at);
  if (!how.isOrdered) return shuffled.map(({ block }) => block);
  // Each lane keeps its own order; only their interleaving is shuffled.
  const inOrder = Array.from({ length: lanes }, (_, lane) => sent.filter((message) => message.lane === lane));
  return shuffled.flatMap(({ lane }) => inOrder[lane]?.shift()?.block ?? []);
}

it("yields each correct chunk once and knows the missing ones, whatever happens on any number of lanes", () => {
  fc.assert(
    fc.property(schedule, (chosen) => {
      const assembler = new BlockAssembler(file);
      const made = new Set<number>();
      let arrived = new Map<number, Set<number>>();
      for (let round = 0; round <= 6 && made.size < chunkCount; round++) {
        const asked = Array.from({ length: chunkCount }, (_, chunk) => chunk).filter(
          (chunk) => !made.has(chunk),
        );
        for (const block of arriving(asked, round, chosen)) {
          if (made.has(block.chunk)) continue;
          const outcome = assembler.add(block);
          const known = arrived.get(block.chunk) ?? new Set();
          const isNew = !known.has(block.block);
          arrived.set(block.chunk, known.add(block.block));
          const isWhole = known.size === blocksOf(block.chunk, chosen.blockSize).length;
          const expected = !isNew ? "duplicate" : isWhole ? "chunk" : "open";
          // Only then: hundreds of thousands of expectations take half a minute.
          if (outcome.kind !== expected) expect(outcome.kind).toBe(expected);
          if (outcome.kind !== "chunk") continue;
          made.add(block.chunk);
          const original = bytes.subarray(block.chunk * chunkSize, (block.chunk + 1) * chunkSize);
          expect(Buffer.compare(outcome.chunk.bytes, original)).toBe(0);
        }
        const open = [...arrived].filter(([chunk]) => !made.has(chunk));
        expect(assembler.openCount).toBe(open.length);
        if (!chosen.dropsOpen) continue;
        assembler.clear();
        arrived = new Map();
      }
      expect(made.size).toBe(chunkCount);
    }),
    { numRuns: isLong ? 20_000 : 2_000 },
  );
}, 600_000);
