import { describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { GuessBudget } from "./guess-budget.ts";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const [ann, bob, eve] = [idOf(1), idOf(2), idOf(3)];
const approvalNeeded = expect.objectContaining({ code: "approval-needed" });

/** A budget that ten wrong passwords have used up, and whom a person was asked about. */
function usedUp(clock = new FakeClock()) {
  const budget = new GuessBudget(clock);
  const asked: string[] = [];
  budget.events.on("ask", (clientId) => asked.push(clientId));
  for (let i = 0; i < 10; i++) budget.spend(eve);
  return { budget, asked, clock };
}

describe("the budget for guesses", () => {
  it("closes after ten runs that did not succeed and opens again ten minutes later", async () => {
    const clock = new FakeClock();
    const budget = new GuessBudget(clock);
    for (let i = 0; i < 9; i++) budget.spend(idOf(i));
    expect(budget.isOpenFor(ann)).toBe(true);
    budget.spend(eve);
    expect(budget.isOpenFor(ann)).toBe(false);
    await clock.advance(599_999);
    expect(budget.isOpenFor(ann)).toBe(false);
    await clock.advance(1);
    expect(budget.isOpenFor(ann)).toBe(true);
  });

  it("does not count runs that succeed", () => {
    const budget = new GuessBudget(new FakeClock());
    for (let i = 0; i < 100; i++) budget.spend(idOf(i))();
    expect(budget.isOpenFor(eve)).toBe(true);
  });

  it("asks a person from then on, once in 20 s for each client and about three of them at most", async () => {
    const { budget, asked, clock } = usedUp();
    for (let round = 0; round < 3; round++) {
      for (let i = 10; i < 20; i++) expect(() => budget.require(idOf(i))).toThrow(approvalNeeded);
    }
    expect(asked).toEqual([idOf(10), idOf(11), idOf(12)]);
    await clock.advance(20_000);
    expect(() => budget.require(idOf(19))).toThrow(approvalNeeded);
    expect(asked.at(-1)).toBe(idOf(19));
  });

  it("lets in whom a person lets in, for one wrong password and no more", () => {
    const { budget } = usedUp();
    budget.letIn(ann);
    expect(() => budget.require(ann)).not.toThrow();
    expect(() => budget.require(bob)).toThrow(approvalNeeded);
    budget.spend(ann);
    expect(() => budget.require(ann)).toThrow(approvalNeeded);
  });

  it("lets those reconnect whose last run succeeded, until one fails under their name", () => {
    const { budget } = usedUp();
    budget.letIn(ann);
    for (let i = 0; i < 5; i++) {
      budget.require(ann);
      budget.spend(ann)();
    }
    budget.spend(ann);
    expect(() => budget.require(ann)).toThrow(approvalNeeded);
  });

  it("has a newcomer wait for a person's word, and gives up after 20 s", async () => {
    const { budget, asked, clock } = usedUp();
    const admission = budget.admission(ann);
    expect(asked).toEqual([ann]);
    await clock.advance(19_000);
    budget.letIn(ann);
    await expect(admission).resolves.toBeUndefined();

    const late = budget.admission(bob);
    const failed = expect(late).rejects.toThrow(approvalNeeded);
    await clock.advance(20_000);
    await failed;
    expect(clock.timerCount).toBe(0);
  });
});
