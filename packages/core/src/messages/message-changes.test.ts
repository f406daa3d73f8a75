import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage, TextMessage } from "./message.ts";
import {
  changeOfEntry,
  entryOfChange,
  type MessageChange,
  reactionsOf,
  toggled,
  unsentChange,
  withChange,
  withOwnChange,
  withoutUnsent,
} from "./message-changes.ts";

const mara = "6d4c1c55-8b5e-4a53-9a0c-0b6f3f0f6b11";
const jun = "0f0a6f6e-2a39-4f0f-8d53-94a1f1f6a0c2";
const text: TextMessage = {
  ...{ type: "text", key: `${mara}/m-000001`, id: "m-000001", conversation: mara, client: mara },
  ...{ createdAt: 1, sortedAt: 1, data: "First", quote: `${jun}/m-000002`, deliveries: {} },
};
const edit = (at: number, data: string): MessageChange => ({ kind: "edit", at, data });
const react = (at: number, ...emoji: string[]): MessageChange => ({ kind: "react", at, emoji });

const changes: fc.Arbitrary<readonly [by: string, MessageChange]> = fc.tuple(
  fc.constantFrom(mara, jun),
  fc.oneof(
    fc.record({ kind: fc.constant("edit" as const), at: fc.nat(4), data: fc.string() }),
    fc.record({ kind: fc.constant("delete" as const), at: fc.nat(4) }),
    fc.record({
      kind: fc.constant("react" as const),
      at: fc.nat(4),
      emoji: fc.array(fc.constantFrom("👍", "❤️", "😂"), { maxLength: 4 }),
    }),
  ),
);

function all(message: ChatMessage, list: readonly (readonly [string, MessageChange])[]): ChatMessage {
  return list.reduce((changed, [by, change]) => withChange(changed, by, change), message);
}

describe("changes of a message", () => {
  it("lead to the same, in whatever order and however often they arrive", () => {
    fc.assert(
      fc.property(
        fc
          .array(changes, { maxLength: 12 })
          .chain((list) =>
            fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
          ),
        ([list, shuffled]) => {
          expect(all(text, [...shuffled, ...list])).toEqual(all(text, list));
        },
      ),
    );
  });

  it("are the author's alone, but for reactions", () => {
    expect(withChange(text, jun, edit(2, "Forged"))).toBe(text);
    expect(withChange(text, jun, { kind: "delete", at: 2 })).toBe(text);
    expect(withChange(text, jun, react(2, "👍")).reactions).toEqual({ [jun]: { emoji: ["👍"], at: 2 } });
  });

  it("leave nothing of a deleted text, nor let anybody add to it", () => {
    const much = all(text, [
      [mara, edit(2, "Second")],
      [jun, react(3, "👍")],
    ]);
    const gone = withChange(much, mara, { kind: "delete", at: 4 });
    const { key, id, conversation, client, createdAt, sortedAt } = text;
    const left = { key, id, conversation, client, createdAt, sortedAt };
    expect(gone).toEqual({ ...left, type: "text", data: "", deleted: true, deliveries: {} });
    fc.assert(fc.property(changes, ([by, change]) => withChange(gone, by, change) === gone));
  });

  it("keep the reactions of a bounded number of people", () => {
    const people = Array.from(
      { length: 300 },
      (_, n) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`,
    );
    const full = all(
      text,
      people.map((by, n) => [by, react(n + 1, "👍")]),
    );
    expect(Object.keys(full.reactions ?? {})).toHaveLength(100);
    expect(withChange(full, people[0] ?? "", react(1_000)).reactions?.[people[0] ?? ""]?.emoji).toEqual([]);
  });
});

it("are read from an entry of a log as they were written, and nothing else is", () => {
  fc.assert(
    fc.property(changes, ([, change]) => {
      const read = changeOfEntry({ ...entryOfChange(change), time: change.at });
      expect(read).toEqual(
        change.kind === "react" ? { ...change, emoji: [...new Set(change.emoji)] } : change,
      );
    }),
  );
  for (const body of ["no", "👍 1", "👍 👍 👍 👍 👍", " ", "👍  👍", "<b>"])
    expect(changeOfEntry({ kind: "react", time: 1, body })).toBeNull();
  expect(changeOfEntry({ kind: "met", time: 1, body: "" })).toBeNull();
});

describe("our own changes", () => {
  it("wait for each recipient until it has the latest", () => {
    const first = withOwnChange(text, mara, edit(2, "Second"), [jun]);
    expect(unsentChange(first, mara, "edit")).toEqual(edit(2, "Second"));
    const second = withOwnChange(first, mara, edit(3, "Third"), [jun]);
    expect(second.unsentChanges).toEqual({ [jun]: ["edit"] });
    expect(withoutUnsent(second, mara, jun, { kind: "edit", at: 2 })).toBe(second);
    expect(withoutUnsent(second, mara, jun, { kind: "edit", at: 3 }).unsentChanges).toBeUndefined();
  });

  it("are only the deletion, once there is one", () => {
    const edited = withOwnChange(text, mara, edit(2, "Second"), [jun]);
    const gone = withOwnChange(edited, mara, { kind: "delete", at: 3 }, [jun]);
    expect(gone.unsentChanges).toEqual({ [jun]: ["delete"] });
    expect(unsentChange(gone, mara, "edit")).toBeNull();
    expect(withoutUnsent(gone, mara, jun, { kind: "delete", at: 0 }).unsentChanges).toBeUndefined();
  });
});

it("shows the emoji of most people first, twenty at most", () => {
  const reacted = all(text, [
    [jun, react(2, "👍", "🎉")],
    [mara, react(3, "🎉")],
  ]);
  expect(reactionsOf(reacted)).toEqual([
    { emoji: "🎉", people: [jun, mara] },
    { emoji: "👍", people: [jun] },
  ]);
  const many = all(text, [
    [jun, react(2, ...Array.from({ length: 30 }, (_, n) => String.fromCodePoint(0x1f600 + n)))],
  ]);
  expect(reactionsOf(many)).toHaveLength(20);
});

it("takes an emoji back that was chosen before, and lets the first of too many go", () => {
  expect(toggled(["👍"], "👍")).toEqual([]);
  expect(toggled(["1", "2", "3", "4"], "5")).toEqual(["2", "3", "4", "5"]);
});
