import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Announcer } from "./announcer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const list = (items: readonly string[]) => items.join();

function saidBy(announcer: Announcer) {
  const { polite, urgent } = announcer.said.getState();
  return { polite: polite.sentences, urgent: urgent.sentences };
}

describe("an announcer", () => {
  it("tells of one moment at its end, one sentence per kind", () => {
    const announcer = new Announcer();
    const offered = announcer.kind<string>((items) => `offered ${list(items)}`);
    const failed = announcer.kind<string>((items) => `failed ${list(items)}`, "urgent");
    const said = announcer.kind<string>((items) => `said ${list(items)}`);
    said("1", "a");
    failed("2", "b");
    vi.advanceTimersByTime(999);
    offered("3", "c");
    said("4", "d");
    expect(saidBy(announcer)).toEqual({ polite: [], urgent: [] });
    vi.advanceTimersByTime(1);
    expect(saidBy(announcer)).toEqual({
      polite: ["said a,d", "offered c"],
      urgent: ["failed b"],
    });
  });

  it("tells only the last that happened to a subject", () => {
    const announcer = new Announcer();
    const started = announcer.kind<string>((items) => `started ${list(items)}`);
    const complete = announcer.kind<string>((items) => `complete ${list(items)}`);
    started("1", "a.pdf");
    started("2", "b.pdf");
    complete("1", "a.pdf");
    announcer.endMoment();
    expect(saidBy(announcer).polite).toEqual(["started b.pdf", "complete a.pdf"]);
  });

  it("repeats a sentence of another moment", () => {
    const announcer = new Announcer();
    const copied = announcer.kind<string>(list);
    const moments: number[] = [];
    announcer.said.subscribe(({ polite }) => moments.push(polite.moment));
    for (const subject of ["1", "2"]) {
      copied(subject, "Link copied");
      vi.advanceTimersByTime(1_000);
    }
    expect(moments).toEqual([1, 2]);
  });

  it("makes of any events in a moment one sentence a kind, and loses no subject's last", () => {
    const event = fc.record({
      kind: fc.nat({ max: 3 }),
      subject: fc.nat({ max: 20 }),
      afterMs: fc.integer({ min: 0, max: 600 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const announcer = new Announcer();
        const kinds = [0, 1, 2, 3].map((kind) =>
          announcer.kind<string>(
            (items) => items.map((item) => `${kind}:${item}`).join(),
            kind === 3 ? "urgent" : "polite",
          ),
        );
        /** What is heard at each time. */
        const heard = new Map<number, string[]>();
        announcer.said.subscribe((now, before) => {
          const sentences = now.polite === before.polite ? now.urgent.sentences : now.polite.sentences;
          heard.set(Date.now(), [...(heard.get(Date.now()) ?? []), ...sentences]);
        });
        // The model: the events of each moment, which begins with the first event after the last one.
        const moments: Map<number, string>[] = [];
        let nowMs = 0;
        let endMs = Number.NEGATIVE_INFINITY;
        for (const { kind, subject, afterMs } of events) {
          vi.advanceTimersByTime(afterMs);
          nowMs += afterMs;
          if (nowMs >= endMs) {
            moments.push(new Map());
            endMs = nowMs + 1_000;
          }
          moments.at(-1)?.set(subject, `${kind}:${subject}`);
          kinds[kind]?.(String(subject), String(subject));
        }
        vi.advanceTimersByTime(1_000);
        expect([...heard.values()].map((sentences) => sentences.join().split(",").sort())).toEqual(
          moments.map((moment) => [...moment.values()].sort()),
        );
        for (const sentences of heard.values())
          expect(new Set(sentences.map(([kind]) => kind)).size).toBe(sentences.length);
      }),
    );
  });
});
