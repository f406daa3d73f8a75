import { describe, expect, it } from "vitest";
import type { FakeClock } from "../testing/fake-clock.ts";
import { lockedRoom, newIdentities, newIdentity } from "../testing/locked-room.ts";

type Knock = ReturnType<Awaited<ReturnType<typeof lockedRoom>>["knock"]>;

/** How many of those who knock learn that their password is wrong, once all of them have an answer or have given up. */
async function testedBy(knocks: readonly Knock[], clock: FakeClock): Promise<number> {
  const ends = Promise.allSettled(knocks.flatMap(({ greeted, proven }) => [greeted, proven]));
  const learned = Promise.all(
    knocks.map(({ proven }) =>
      proven.then(
        () => false,
        ({ code }: { code: string }) => code === "incorrect-password",
      ),
    ),
  );
  for (let waited = 0; waited < 70; waited++) await clock.advance(1_000);
  await ends;
  return (await learned).filter(Boolean).length;
}

describe("the door of a room with a password", () => {
  it("opens to who knows it, without a person's word", async () => {
    const { asked, knock } = await lockedRoom();
    const { greeted, proven } = knock(await newIdentity(), "tidal");
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
    expect(asked).toEqual([]);
  });

  it("waits for a person after ten wrong ones, and says nothing that a password could be tested on", async () => {
    const { clock, asked, knock, guessTenTimes, letIn } = await lockedRoom();
    await guessTenTimes();
    expect(asked).toEqual([]);

    const jun = await newIdentity();
    const { greeted, proven, isDeferred } = knock(jun, "tidal");
    let ended = false;
    const note = () => {
      ended = true;
    };
    greeted.then(note, note);
    await clock.advance(10_000);
    expect(asked).toEqual([jun.clientId]);
    expect(isDeferred()).toBe(true);
    expect(ended).toBe(false);
    letIn(jun.clientId);
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
  });

  it("stays closed when nobody says a word", async () => {
    const { clock, knock, guessTenTimes } = await lockedRoom();
    await guessTenTimes();
    const { greeted } = knock(await newIdentity(), "tidal");
    const refused = expect(greeted).rejects.toMatchObject({ code: "approval-needed" });
    await clock.advance(60_000);
    await refused;
  });

  it("tests ten passwords of forty who come at once", async () => {
    const { clock, asked, knock } = await lockedRoom();
    const knocks = (await newIdentities(40)).map((stranger) => knock(stranger, null));
    const tested = await testedBy(knocks, clock);
    expect(tested).toBe(10);
    expect(asked).toHaveLength(3);
  });

  it("tests no more passwords of those who were met where there was another one or none", async () => {
    const { clock, enter, knock } = await lockedRoom({ password: null });
    const guests = await newIdentities(12);
    await Promise.all(
      guests.map((guest) => knock(guest, null)).flatMap(({ greeted, proven }) => [greeted, proven]),
    );
    enter("tidal");
    const tested = await testedBy(
      guests.map((guest) => knock(guest, null)),
      clock,
    );
    expect(tested).toBe(10);
  });

  it("gives nothing back to who leaves and comes again", async () => {
    const { clock, asked, enter, knock, guessTenTimes } = await lockedRoom();
    await guessTenTimes();
    enter("tidal");
    const late = await newIdentity();
    const { greeted } = knock(late, null);
    const refused = expect(greeted).rejects.toMatchObject({ code: "approval-needed" });
    await clock.advance(60_000);
    await refused;
    expect(asked).toEqual([late.clientId]);
  });

  it("lets thirty in who know it and come at once, without a person's word", async () => {
    const { asked, knock } = await lockedRoom({ password: "" });
    const knocks = (await newIdentities(30)).map((friend) => knock(friend, ""));
    await expect(
      Promise.all(knocks.flatMap(({ greeted, proven }) => [greeted, proven])),
    ).resolves.toHaveLength(60);
    expect(asked).toEqual([]);
  });

  it("asks nobody where there is no password to guess", async () => {
    const { asked, knock, guessTenTimes } = await lockedRoom({ password: null });
    await guessTenTimes();
    const { greeted, proven } = knock(await newIdentity(), null);
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
    expect(asked).toEqual([]);
  });

  it("opens to who proves itself to a greeter that begins anew", async () => {
    const { knock } = await lockedRoom();
    const { greeted, greetAgain, proven } = knock(await newIdentity(), "tidal");
    greeted.catch(() => {});
    await expect(Promise.all([greetAgain(), proven])).resolves.toBeDefined();
  });

  it("lets in whom a person let in too late for the first time they came", async () => {
    const { clock, asked, knock, letIn } = await lockedRoom();
    const guesses = (await newIdentities(10)).map((stranger) => knock(stranger, null));
    const guessed = Promise.allSettled(guesses.flatMap(({ greeted, proven }) => [greeted, proven]));
    await clock.advance(0);
    const jun = await newIdentity();
    const { greeted } = knock(jun, "tidal");
    const gone = expect(greeted).rejects.toMatchObject({ code: "connection-closed" });
    // It is asked about when the guesses have no answer any more, and sent away by its server 60 s after it came.
    await clock.advance(61_000);
    await guessed;
    expect(asked).toEqual([jun.clientId]);
    letIn(jun.clientId);
    await gone;
    const again = knock(jun, "tidal");
    await expect(Promise.all([again.greeted, again.proven])).resolves.toBeDefined();
  });
});
