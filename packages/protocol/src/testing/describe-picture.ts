/// <reference types="node" />
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Picture<S extends string> {
  /** By which the picture is found in docs/architecture.md. */
  readonly title: string;
  readonly states: readonly S[];
  /** The events that the picture has to name, if it names all of a kind. */
  readonly events?: readonly string[];
  /** Where an event may lead from a state. */
  readonly leadsTo: (from: S, event: string) => readonly (S | undefined)[];
}

/** Compares a state diagram in the documentation with the code: an arrow is `from --> to: event, event`. */
export function describePicture<S extends string>({ title, states, events = [], leadsTo }: Picture<S>): void {
  describe("the picture in the documentation", () => {
    const text = readFileSync(new URL("../../../../docs/architecture.md", import.meta.url), "utf8");
    const start = text.indexOf(`title: ${title}\n`);
    const picture = start < 0 ? "" : text.slice(start, text.indexOf("```", start));
    const arrows = [...picture.matchAll(/^ {2}([\w-]+) --> ([\w-]+): (.+)$/gm)].flatMap(
      ([, from, to, labels]) =>
        (labels ?? "").split(", ").map((event) => [from, to, event] as [S, S, string]),
    );

    it("names every state", () => {
      expect([...new Set(arrows.flatMap((arrow) => arrow.slice(0, 2)))].sort()).toEqual([...states].sort());
    });

    it("names every event", () => {
      const named = arrows.map(([, , event]) => event);
      for (const event of events) expect(named).toContain(event);
    });

    it.each(arrows)("leads from %s to %s by %s, as the code does", (from, to, event) => {
      expect(leadsTo(from, event)).toContain(to);
    });
  });
}
