import { describe, expect, it } from "vitest";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { GuessBudget, type PasswordTest } from "./guess-budget.ts";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const [ann, bob, eve] = [idOf(1), idOf(2), idOf(3)];
const approvalNeeded = expect.objectContaining({ code: "approval-needed" });

const started = (budget: GuessBudget, clientId: string): PasswordTest =>
  budget.begin(clientId) ?? expect.fail();

/** A budget used up by ten wrong passwords, and the clients that a person was asked about. */
function usedUp(clock = new FakeClock(), isKnown?: (clientId: string) => Promise<boolean>) {
  const budget = new GuessBudget(clock, isKnown);
  const asked: string[] = [];
  const over: string[] = [];
  budget.on("ask", (clientId) => asked.push(clientId));
  budget.on("over", (clientId) => over.push(clientId));
  for (let i = 0; i < 10; i++) started(budget, eve).fail();
  return { budget, asked, over, clock };
}

/** A budget whose ten tests await their answers. */
function shown() {
  const clock = new FakeClock();
  const budget = new GuessBudget(clock);
  const asked: string[] = [];
  budget.on("ask", (clientId) => asked.push(clientId));
  const tests = Array.from({ length: 10 }, (_, i) => started(budget, idOf(10 + i)));
  return { clock, budget, asked, tests };
}

describe("the budget for guesses", () => {
  it("closes after ten runs that did not succeed and opens again ten minutes later", async () => {
    const clock = new FakeClock();
    const budget = new GuessBudget(clock);
    for (let i = 0; i < 9; i++) started(budget, idOf(i)).fail();
    expect(budget.isOpenFor(ann)).toBe(true);
    started(budget, eve).fail();
    expect(budget.isOpenFor(ann)).toBe(false);
    await clock.advance(599_999);
    expect(budget.isOpenFor(ann)).toBe(false);
    await clock.advance(1);
    expect(budget.isOpenFor(ann)).toBe(true);
  });

  it("does not count runs that succeed", () => {
    const budget = new GuessBudget(new FakeClock());
    for (let i = 0; i < 100; i++) started(budget, idOf(i)).succeed();
    expect(budget.isOpenFor(eve)).toBe(true);
  });

  it("counts a test until it has succeeded, and lets others wait for its answer", async () => {
    const clock = new FakeClock();
    const budget = new GuessBudget(clock);
    const tests = Array.from({ length: 10 }, (_, i) => started(budget, idOf(10 + i)));
    expect(budget.begin(ann)).toBeNull();
    const waiting = budget.opensFor(ann);
    await clock.advance(4_000);
    tests[0]?.succeed();
    await expect(waiting).resolves.toBe(true);
    started(budget, ann).fail();

    for (const test of tests.slice(1)) test.fail();
    await expect(budget.opensFor(bob)).resolves.toBe(false);
    expect(clock.timerCount).toBe(0);
  });

  it("waits at most 5 s for an answer, and still accepts a later one", async () => {
    const { clock, asked, tests, budget } = shown();
    const required = expect(budget.require(ann)).rejects.toThrow(approvalNeeded);
    await clock.advance(4_999);
    expect(asked).toEqual([]);
    await clock.advance(1);
    await required;
    expect(asked).toEqual([ann]);
    tests[3]?.succeed();
    await expect(budget.require(ann)).resolves.toBeUndefined();
  });

  it("lets another run of an approved client wait for the answer of the first", async () => {
    const { budget } = usedUp();
    budget.letIn(ann);
    const first = started(budget, ann);
    expect(budget.begin(ann)).toBeNull();
    const second = budget.opensFor(ann);
    first.succeed();
    await expect(second).resolves.toBe(true);
    started(budget, ann).fail();
    await expect(budget.opensFor(ann)).resolves.toBe(false);
  });

  it("continues a waiting run at once when a person admits its client", async () => {
    const { budget } = shown();
    const opens = budget.opensFor(ann);
    budget.letIn(ann);
    await expect(opens).resolves.toBe(true);
  });

  it("then asks a person, once in 60 s per client and about at most three clients", async () => {
    const { budget, asked, clock } = usedUp();
    for (let round = 0; round < 3; round++) {
      for (let i = 10; i < 20; i++) await expect(budget.require(idOf(i))).rejects.toThrow(approvalNeeded);
    }
    expect(asked).toEqual([idOf(10), idOf(11), idOf(12)]);
    await clock.advance(60_000);
    await expect(budget.require(idOf(19))).rejects.toThrow(approvalNeeded);
    expect(asked.at(-1)).toBe(idOf(19));
  });

  it("admits an approved client, which allows it one wrong password", async () => {
    const { budget } = usedUp();
    budget.letIn(ann);
    await expect(budget.require(ann)).resolves.toBeUndefined();
    await expect(budget.require(bob)).rejects.toThrow(approvalNeeded);
    started(budget, ann).fail();
    await expect(budget.require(ann)).rejects.toThrow(approvalNeeded);
  });

  it("lets clients reconnect whose last run succeeded, until a run in their name fails", async () => {
    const { budget } = usedUp();
    budget.letIn(ann);
    for (let i = 0; i < 5; i++) {
      await budget.require(ann);
      started(budget, ann).succeed();
    }
    started(budget, ann).fail();
    await expect(budget.require(ann)).rejects.toThrow(approvalNeeded);
  });

  it("lets a newcomer wait for a person's decision, for at most 60 s", async () => {
    const { budget, asked, clock } = usedUp();
    const admission = budget.admission(ann);
    await clock.advance(59_000);
    expect(asked).toEqual([ann]);
    budget.letIn(ann);
    await expect(admission).resolves.toBeUndefined();

    const late = budget.admission(bob);
    const failed = expect(late).rejects.toThrow(approvalNeeded);
    await clock.advance(60_000);
    await failed;
    expect(clock.timerCount).toBe(0);
  });

  it("asks about a waiting client as soon as another question is free", async () => {
    const { budget, asked } = usedUp();
    const deferred: string[] = [];
    for (const id of [10, 11, 12, 13].map(idOf)) void budget.admission(id, () => deferred.push(id));
    await settle();
    expect(deferred).toEqual([10, 11, 12, 13].map(idOf));
    expect(asked).toEqual([10, 11, 12].map(idOf));
    budget.letIn(idOf(11));
    expect(asked).toEqual([10, 11, 12, 13].map(idOf));
  });

  it("asks about a known client even while strangers hold every question", async () => {
    const { budget, asked } = usedUp(new FakeClock(), async (clientId) => clientId === ann);
    for (const id of [10, 11, 12].map(idOf)) void budget.admission(id);
    await settle();
    const admission = budget.admission(ann);
    await settle();
    expect(asked).toEqual([...[10, 11, 12].map(idOf), ann]);
    budget.letIn(ann);
    await expect(admission).resolves.toBeUndefined();
  });

  it("asks about a client last for ten minutes after a question about it expired", async () => {
    const { budget, asked, clock } = usedUp();
    const hold = () => {
      for (const id of [10, 11, 12].map(idOf)) budget.admission(id).catch(() => {});
    };
    hold();
    await clock.advance(60_000);
    hold();
    await settle();
    asked.length = 0;
    const admission = budget.admission(bob);
    await settle();
    expect(asked).toEqual([bob]);
    budget.letIn(bob);
    await expect(admission).resolves.toBeUndefined();
  });

  it("asks about another newcomer after 15 s, and about those it has asked about only after that", async () => {
    const { budget, asked, over, clock } = usedUp();
    for (const id of [10, 11, 12].map(idOf)) budget.admission(id).catch(() => {});
    await clock.advance(1_000);
    const admission = budget.admission(ann);
    await clock.advance(13_999);
    expect(asked).toEqual([10, 11, 12].map(idOf));
    await clock.advance(1);
    expect(asked).toEqual([...[10, 11, 12].map(idOf), ann]);
    expect(over).toEqual([idOf(10)]);
    await clock.advance(20_000);
    expect(asked).toHaveLength(4);
    budget.letIn(ann);
    await expect(admission).resolves.toBeUndefined();
  });

  it("asks about nobody that has gone, and about the next one instead", async () => {
    const { budget, asked, over, clock } = usedUp();
    const leaving = new AbortController();
    const failed = expect(budget.admission(idOf(10), () => {}, leaving.signal)).rejects.toThrow(
      approvalNeeded,
    );
    for (const id of [idOf(11), idOf(12), ann, bob]) budget.admission(id).catch(() => {});
    await settle();
    leaving.abort();
    await failed;
    expect(asked).toEqual([...[10, 11, 12].map(idOf), ann]);
    expect(over).toEqual([idOf(10)]);
    await clock.advance(60_000);
    expect(clock.timerCount).toBe(0);
  });
});
