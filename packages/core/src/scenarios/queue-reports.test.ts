import { beforeEach, describe, expect, it } from "vitest";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import type { TransferState } from "../transfer/offer-state.ts";

/** Slightly more than the number of small files transferred from one client at once. */
const atOnce = 8;
const count = 12;
const queued = { state: "queued" };

let world: TestWorld;
let mara: TestPerson;
let jun: TestPerson;
let ids: { readonly mara: string; readonly jun: string };

beforeEach(async () => {
  world = new TestWorld();
  [mara, jun] = await world.twoPeers();
  ids = { mara: mara.id, jun: jun.id };
});

function statesAt(person: TestPerson): (TransferState | undefined)[] {
  const other = person === mara ? ids.jun : ids.mara;
  return person
    .messages(other)
    .map((message) => (message.type === "file" ? person.offerOf(message, other) : undefined));
}

function keyAt(person: TestPerson, place: number) {
  const message = person.messages(person === mara ? ids.jun : ids.mara)[place];
  return message?.key ?? expect.fail();
}

async function offerAll(): Promise<void> {
  for (let n = 0; n < count; n++)
    await mara.warren.chat.sendFile(ids.jun, new File([`file ${n}`], `${n}.txt`, { lastModified: n }));
  await world.until(() => jun.messages(ids.mara).length === count);
}

/** Jun accepts everything, and no started transfer ends before his disk responds. */
async function offerAllToWhoTakesAll(): Promise<void> {
  jun.warren.settings.set("automaticDownload", true);
  jun.files.holdAt = 0;
  await offerAll();
  await world.until(() => statesAt(jun).filter((state) => isQueued(state)).length === count - atOnce);
}

const isQueued = (state: TransferState | undefined) =>
  state?.state === "queued" || state?.state === "queuedThere";
const isComplete = (state: TransferState | undefined) => state?.state === "complete";

describe("an accepted file that is queued behind others", () => {
  it("is shown as queued on both sides, and as an offer before", async () => {
    await offerAll();
    expect(statesAt(mara)).toEqual(Array(count).fill({ state: "offered" }));
    jun.files.holdAt = 0;
    for (const { key } of jun.messages(ids.mara)) void jun.warren.chat.acceptFile(key);
    const waiting = (state: string) => Array(count - atOnce).fill({ state });
    await world.until(() => statesAt(mara).filter(isQueued).length === count - atOnce);
    expect(statesAt(jun).slice(atOnce)).toEqual(waiting("queued"));
    expect(statesAt(mara).slice(atOnce)).toEqual(waiting("queuedThere"));
    jun.files.release();
    await world.until(() => [...statesAt(mara), ...statesAt(jun)].every(isComplete));
  });

  it("is no longer shown as queued once it is requested from its sender", async () => {
    await offerAllToWhoTakesAll();
    const seen: unknown[] = [];
    const last = () => statesAt(jun).at(-1);
    // A transfer's end is published before the message tells it, in the same turn.
    const note = () => queueMicrotask(() => seen.push(last()));
    for (const store of [jun.warren.chat.store, jun.warren.transfers.store]) store.subscribe(note);
    jun.files.release();
    await world.until(() => isComplete(last()));
    const kinds = [...new Set(seen.map((state) => JSON.stringify(state)))].map((json) => JSON.parse(json));
    expect(kinds).toMatchObject([queued, { state: "opening" }, { state: "complete" }]);
  });

  it("remains queued, and arrives, if its sender's page is reloaded meanwhile", async () => {
    await offerAllToWhoTakesAll();
    await world.clock.advance(1_000); // the sender's copies are made
    await mara.close();
    await world.until(() => statesAt(jun).every((state) => state?.state === "accepted"));
    jun.files.lose();
    await mara.reopen();
    await world.untilMet(mara, jun);
    await world.until(() => [...statesAt(mara), ...statesAt(jun)].every(isComplete));
  });

  it("is no longer queued once its sender pauses it", async () => {
    await offerAllToWhoTakesAll();
    await mara.warren.chat.pauseFile(keyAt(mara, count - 1));
    const pausedByPeer = (state: TransferState | undefined) => state?.state === "pausedThere";
    await world.until(() => pausedByPeer(statesAt(jun).at(-1)));
    jun.files.lose();
    jun.files.holdAt = 0;
    await jun.reload();
    await world.untilMet(mara, jun);
    await world.until(() => statesAt(jun).filter(isQueued).length === count - atOnce - 1);
    await world.until(() => pausedByPeer(statesAt(jun).at(-1)));
    expect(statesAt(mara).at(-1)).toEqual({ state: "pausedHere" });
  });

  it.each(["withdrawn by its sender", "given up by who gets it"])(
    "is over for both when it is %s",
    async (how) => {
      await offerAllToWhoTakesAll();
      await world.until(() => statesAt(mara).filter(isQueued).length === count - atOnce);
      const person = how.startsWith("withdrawn") ? mara : jun;
      await person.warren.chat.cancelFile(keyAt(person, count - 1));
      const isCancelled = (state: TransferState | undefined) =>
        state?.state === (how.startsWith("withdrawn") ? "withdrawn" : "givenUp");
      await world.until(() => isCancelled(statesAt(mara).at(-1)) && isCancelled(statesAt(jun).at(-1)));
      jun.files.release();
      await world.until(
        () => [...statesAt(mara), ...statesAt(jun)].filter(isComplete).length === 2 * (count - 1),
      );
      expect(isCancelled(statesAt(jun).at(-1))).toBe(true);
    },
  );

  it("reports missing space if that shows when it reaches the front of the queue", async () => {
    await offerAllToWhoTakesAll();
    await world.until(() => statesAt(mara).filter(isQueued).length === count - atOnce);
    jun.files.limitBytes = 0;
    jun.files.release();
    const noRoom = { state: "needsSpace" };
    await world.until(() => JSON.stringify(statesAt(mara).at(-1)) === JSON.stringify(noRoom));
  });
});

describe("the outcome of an offer during its sender's absence", () => {
  const goAway = async (person: TestPerson) => {
    await person.close();
    await world.clock.advance(60_000);
  };
  const comeBack = async (person: TestPerson) => {
    await person.reopen();
    await world.untilMet(mara, jun);
  };

  it("is reported on the sender's return: declined", async () => {
    await offerAll();
    await goAway(mara);
    for (const { key } of jun.messages(ids.mara)) await jun.warren.chat.declineFile(key);
    await comeBack(mara);
    await world.until(() => statesAt(mara).every((state) => state?.state === "declined"));
  });

  it("is reported on the sender's return: accepted, then cancelled", async () => {
    await offerAllToWhoTakesAll();
    await goAway(mara);
    for (const { key } of jun.messages(ids.mara)) await jun.warren.chat.cancelFile(key);
    jun.files.lose();
    await comeBack(mara);
    await world.until(() => statesAt(mara).every((state) => state?.state === "givenUp"));
  });

  it("is reported on the sender's return, before anybody decides: withdrawn", async () => {
    await offerAll();
    await goAway(jun);
    for (const { key } of mara.messages(ids.jun).slice(1)) await mara.warren.chat.cancelFile(key);
    await comeBack(jun);
    await world.until(() =>
      statesAt(jun)
        .slice(1)
        .every((state) => state?.state === "withdrawn"),
    );
    expect(statesAt(jun)[0]).toEqual({ state: "offered" });
    expect(statesAt(mara)[0]).toEqual({ state: "offered" });
  });

  it("is reported on the sender's return: deleted with its message", async () => {
    await offerAll();
    await goAway(jun);
    await mara.warren.chat.remove(keyAt(mara, 0));
    await comeBack(jun);
    await world.until(() => statesAt(jun)[0]?.state === "withdrawn");
    expect(statesAt(jun)[1]).toEqual({ state: "offered" });
  });

  it("is reported when a withdrawn offer is accepted", async () => {
    await offerAll();
    await goAway(jun);
    for (const { key } of mara.messages(ids.jun)) await mara.warren.chat.cancelFile(key);
    await comeBack(jun);
    for (const { key } of jun.messages(ids.mara)) void jun.warren.chat.acceptFile(key);
    await world.until(() => statesAt(jun).every((state) => state?.state === "withdrawn"));
  });

  it("is reported while a withdrawn offer is awaited", async () => {
    await offerAllToWhoTakesAll();
    jun.files.lose();
    await goAway(jun);
    for (const { key } of mara.messages(ids.jun)) await mara.warren.chat.cancelFile(key);
    await comeBack(jun);
    await world.until(() => statesAt(jun).every((state) => state?.state === "withdrawn"));
  });
});
