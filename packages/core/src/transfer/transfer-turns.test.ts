import { describe, expect, it } from "vitest";
import type { TransferKey } from "./transfer-state.ts";
import { TransferTurns } from "./transfer-turns.ts";

const limits = { withPeerBytes: 40, togetherBytes: 60 };

/** Turns, and the transfers that have begun in their order. */
function createTurns() {
  const turns = new TransferTurns(limits);
  const begun: TransferKey[] = [];
  const take = (key: TransferKey, needBytes = 10) => turns.take(key, needBytes, () => begun.push(key));
  return { turns, begun, take };
}

describe("turns", () => {
  it("begin at once while there is room, and then in the order they came", () => {
    const { turns, begun, take } = createTurns();
    expect([take("a/1"), take("a/2", 20), take("a/3", 20), take("a/4", 20)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(turns.waiting).toEqual(["a/3", "a/4"]);
    turns.leave("a/2");
    expect(begun).toEqual(["a/1", "a/2", "a/3"]);
    turns.leave("a/1");
    expect(begun).toEqual(["a/1", "a/2", "a/3", "a/4"]);
    expect(turns.waiting).toEqual([]);
  });

  it("are not overtaken by a smaller one that came later from the same client", () => {
    const { begun, take, turns } = createTurns();
    take("a/1", 30);
    take("a/2", 20);
    take("a/3", 5);
    expect(begun).toEqual(["a/1"]);
    turns.leave("a/2");
    expect(begun).toEqual(["a/1", "a/3"]);
  });

  it("give everybody one, however much others hold", () => {
    const { begun, take } = createTurns();
    take("a/1", 40);
    take("b/1", 40);
    take("c/1", 40);
    take("c/2", 5);
    expect(begun).toEqual(["a/1", "b/1", "c/1"]);
  });

  it("go to who has least under way", () => {
    const { turns, begun, take } = createTurns();
    take("a/1", 40);
    take("b/1", 20);
    take("b/2", 10);
    take("a/2", 10);
    take("b/3", 10);
    take("c/1", 10);
    expect(begun).toEqual(["a/1", "b/1", "b/2", "c/1"]);
    turns.leave("a/1");
    expect(begun.slice(4)).toEqual(["a/2", "b/3"]);
  });

  it("leave each client its part of what all may have, however much another took before", () => {
    const { begun, take } = createTurns();
    take("a/1", 40);
    for (const n of [1, 2, 3, 4]) take(`b/${n}`);
    expect(begun).toEqual(["a/1", "b/1", "b/2", "b/3"]);
    for (const n of [1, 2, 3]) take(`c/${n}`);
    expect(begun.slice(4)).toEqual(["c/1", "c/2"]);
  });

  it("of which nothing comes are counted for their own client alone", () => {
    const { turns, begun, take } = createTurns();
    for (const n of [1, 2, 3, 4, 5]) take(`a/${n}`);
    for (const n of [1, 2, 3, 4, 5]) take(`b/${n}`);
    expect(begun.slice(4)).toEqual(["b/1", "b/2", "b/3"]);
    for (const n of [1, 2, 3, 4] as const) turns.setSilent(`a/${n}`, true);
    expect(begun.slice(4)).toEqual(["b/1", "b/2", "b/3", "b/4"]);
    turns.leave("a/1");
    expect(begun.slice(8)).toEqual(["a/5"]);
    turns.setSilent("a/2", false);
    turns.leave("b/1");
    expect(begun.slice(9)).toEqual(["b/5"]);
  });

  it("are over for what is given up while it waits", () => {
    const { turns, begun, take } = createTurns();
    take("a/1", 40);
    take("a/2", 40);
    take("a/3", 40);
    turns.leave("a/2");
    turns.leave("a/1");
    expect(begun).toEqual(["a/1", "a/3"]);
    turns.leave("unknown/1");
  });

  it("throw to who takes one what beginning throws", () => {
    const { turns } = createTurns();
    const fail = () => {
      throw new Error("no way");
    };
    expect(() => turns.take("a/1", 10, fail)).toThrow("no way");
  });
});
