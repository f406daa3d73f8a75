import { WarrenError } from "@warren/protocol";
import { expect, it, vi } from "vitest";
import { digestOf, rootOf } from "../files/digests/digests.ts";
import { everyone, type FileMessage, type MessageKey } from "../messages/message.ts";
import { FileOffers } from "../offers/file-offers.ts";
import { fileProofOf } from "../offers/file-proof.ts";
import { Offers } from "../offers/offers.ts";
import { localTagOf } from "../room/room-tag.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { FakeDataChannel } from "../testing/fake-data-channel.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const poster = new File([new Uint8Array(700_000).map((_, at) => at % 251)], "poster.psd", {
  lastModified: 1_600_000_000_000,
});
const forgery = new Uint8Array(700_000).fill(7);

const filesAt = (person: TestPerson): readonly FileMessage[] =>
  person.messages(everyone).filter((message) => message.type === "file");
const fileAt = (person: TestPerson): FileMessage => filesAt(person)[0] ?? expect.fail();
const stateAt = (person: TestPerson) => {
  const message = fileAt(person);
  return message.offers[message.client]?.state;
};
const isComplete = (person: TestPerson, key: MessageKey) =>
  filesAt(person).some(
    ({ key: known, client, offers }) => known === key && offers[client]?.state === "complete",
  );
const accept = (person: TestPerson) => person.warren.chat.acceptFile(fileAt(person).key);
const searchAt = (person: TestPerson) =>
  person.warren.chat.searches.getState().get(fileAt(person).key)?.state;
async function bytesAt(person: TestPerson): Promise<ArrayBuffer | undefined> {
  return (await person.warren.files.open(fileAt(person).file.fid))?.arrayBuffer();
}

/** Puts other bytes in the place of a file that somebody has, and has them vouch for those. */
async function forge(person: TestPerson): Promise<void> {
  const { file } = fileAt(person);
  const { fid, chunkSize } = file;
  await person.close();
  const [{ record } = expect.fail()] = await person.files.listRecords();
  await person.files.remove(fid);
  const sink = await person.files.openSink(fid, file);
  const leaves = [];
  for (let start = 0; start < forgery.length; start += chunkSize) {
    const chunk = forgery.slice(start, start + chunkSize);
    leaves.push(await digestOf(chunk));
    await sink.write(start / chunkSize, chunk, await digestOf(chunk));
  }
  await sink.finish();
  const root = await rootOf(file, leaves);
  await person.files.writeRecord(fid, { ...(record as object), root });
  const stored = await person.storedRecords();
  await person.store(
    stored.flatMap((one) => {
      const value = one.value as object;
      return "file" in value && "root" in value ? [{ ...one, value: { ...value, root } }] : [];
    }),
  );
  await person.reopen();
}

/** So many small files. */
const notes = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => new File([`note ${n}`], `${n}.txt`, { lastModified: 1_600_000_000_000 }),
  );
/** Mara offered files to everyone, `holders` have those that `isHeld` says, and Mara left before Kai, who was away, comes back. */
async function afterMaraLeft(
  holders: readonly string[] = ["Jun"],
  others: readonly string[] = [],
  {
    files = [poster],
    isHeld = () => true,
  }: { files?: readonly File[]; isHeld?: (name: string) => boolean } = {},
) {
  const world = new TestWorld();
  const mara = await world.person("Mara");
  const people = await Promise.all([...holders, ...others].map((name) => world.person(name)));
  const kai = await world.person("Kai");
  await world.gather(mara, ...people, kai);
  await kai.close();
  await world.clock.advance(5_000);
  for (const file of files) await mara.warren.chat.sendFile(everyone, file);
  await world.until(() => people.every((person) => filesAt(person).length === files.length));
  for (const holder of people.slice(0, holders.length))
    for (const { key } of filesAt(holder).filter(({ file }) => isHeld(file.fileName))) {
      await holder.warren.chat.acceptFile(key);
      await world.until(() => isComplete(holder, key));
    }
  await world.clock.advance(1_000);
  await mara.close();
  await world.clock.advance(5_000);
  const returns = async (...present: readonly TestPerson[]) => {
    await kai.reopen();
    for (const person of present) await world.untilMet(kai, person);
    await world.until(() => filesAt(kai).length === files.length);
  };
  return { world, mara, people, kai, returns };
}

it("gets a file from a member that has it while its author is away, and the author learns of it", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  await accept(kai);
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
  expect(kai.messages(jun.id)).toMatchObject([
    { type: "file", original: fileAt(kai).key, offers: { [jun.id]: { state: "complete" } } },
  ]);
  expect(jun.messages(kai.id)).toMatchObject([
    { type: "file", client: jun.id, original: fileAt(jun).key, offers: { [kai.id]: { state: "complete" } } },
  ]);
  expect(kai.warren.chat.store.getState().conversations[jun.id]?.unread ?? 0).toBe(0);
  expect(searchAt(kai)).toBeUndefined();

  await mara.reopen();
  await world.untilMet(mara, kai);
  await world.until(() => fileAt(mara).offers[kai.id]?.state === "complete");
});

it("says that nobody has it, and gets it once somebody comes who does", async () => {
  const { world, people, kai, returns } = await afterMaraLeft(["Jun"], ["Noor"]);
  const [jun = expect.fail(), noor = expect.fail()] = people;
  await jun.close();
  await world.clock.advance(5_000);
  await returns(noor);
  await accept(kai);
  await world.until(() => searchAt(kai) === "nobody");
  expect(stateAt(kai)).toBe("accepted");
  await kai.reload();
  await world.until(() => searchAt(kai) === "nobody");
  await jun.reopen();
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("takes nothing but the bytes that the author signed, and asks the next member", async () => {
  const { world, people, kai, returns } = await afterMaraLeft(["Eve", "Jun"]);
  const [eve = expect.fail(), jun = expect.fail()] = people;
  await forge(eve);
  await jun.close();
  await world.clock.advance(5_000);
  await returns(eve);
  await accept(kai);
  await world.until(() => searchAt(kai) === "nobody");
  expect(kai.messages(eve.id)).toMatchObject([
    { type: "file", offers: { [eve.id]: { state: "failed", error: { code: "root-verification-failed" } } } },
  ]);
  expect(stateAt(kai)).toBe("accepted");
  expect(await bytesAt(kai)).toBeUndefined();
  expect(kai.warren.files.store.getState().get(fileAt(kai).file.fid)).toBeUndefined();

  await jun.reopen();
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
  await kai.reload();
  expect(kai.messages(eve.id)).toMatchObject([{ type: "file", offers: { [eve.id]: { state: "failed" } } }]);
});

it("keeps a file that is whole where somebody offers other bytes under its id", async () => {
  const { world, people } = await afterMaraLeft(["Eve", "Jun"]);
  const [eve = expect.fail(), jun = expect.fail()] = people;
  await forge(eve);
  await world.untilMet(eve, jun);
  await eve.warren.chat.forwardFile(jun.id, fileAt(eve).file.fid);
  await world.until(() => jun.messages(eve.id).length === 1);
  const offered = () => jun.messages(eve.id).find((message) => message.type === "file") ?? expect.fail();
  await jun.warren.chat.acceptFile(offered().key);
  await world.until(() => offered().offers[eve.id]?.state === "failed");
  await world.clock.advance(1_000);
  expect(await bytesAt(jun)).toEqual(await poster.arrayBuffer());
  expect(jun.warren.files.store.getState().get(offered().file.fid)?.state).toBe("complete");
});

it("goes on with another member, and then with the author, where one leaves or says nothing", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft(["Jun", "Noor"]);
  const [jun = expect.fail(), noor = expect.fail()] = people;
  await returns(jun, noor);
  const silent = vi.spyOn(noor.exchange.ownShares, "find").mockImplementation(() => {});
  // What Jun promised does not come.
  vi.spyOn(jun.exchange.ownShares, "serve").mockImplementation(async () => {});
  await accept(kai);
  await world.until(() => kai.messages(jun.id).length === 1);
  silent.mockRestore();
  await jun.close();
  await world.until(() => kai.messages(noor.id).length === 1);
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());

  await kai.warren.chat.deleteFiles([fileAt(kai).file.fid]);
  await noor.close();
  await world.clock.advance(5_000);
  await kai.warren.chat.askAgain(fileAt(kai).key);
  await world.until(() => searchAt(kai) === "nobody");
  await mara.reopen();
  await world.untilMet(mara, kai);
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

/** A member that promises files and sends none, until it is restored. */
const promisesOnly = ({ exchange: { ownShares } }: TestPerson) =>
  vi.spyOn(ownShares, "serve").mockImplementation(async () => {});

it("gives up a member that does not begin, and asks it again when the person tries again", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const serve = promisesOnly(jun);
  await accept(kai);
  await world.until(() => searchAt(kai) === "given");
  await world.clock.advance(75_000);
  expect(searchAt(kai)).toBe("nobody");
  expect(kai.messages(jun.id)).toMatchObject([
    { offers: { [jun.id]: { state: "failed", error: { code: "no-answer" } } } },
  ]);
  await world.clock.advance(600_000);
  expect(serve).toHaveBeenCalledTimes(1);
  serve.mockRestore();
  await kai.warren.chat.resumeFile(fileAt(kai).key);
  await world.until(() => stateAt(kai) === "complete");
});

it("asks each of two that promise in turn once", async () => {
  const { world, people, kai, returns } = await afterMaraLeft(["Jun", "Noor"]);
  await returns(...people);
  const promises = people.map(promisesOnly);
  await accept(kai);
  await world.clock.advance(900_000);
  expect(searchAt(kai)).toBe("nobody");
  for (const serve of promises) expect(serve).toHaveBeenCalledTimes(1);
});

it("goes on with the author who comes back before it is known that a member does not begin", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  promisesOnly(jun);
  await accept(kai);
  await world.until(() => searchAt(kai) === "given");
  await mara.reopen();
  await world.untilMet(mara, kai);
  expect(stateAt(kai)).toBe("pausedHere");
  await world.clock.advance(60_000);
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("gets it of the members where its author is there and does not begin", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await mara.reopen();
  await returns(jun, mara);
  vi.spyOn(mara.exchange.fileOffers, "receive").mockImplementation(async () => {});
  await accept(kai);
  await world.clock.advance(60_000);
  await world.until(() => stateAt(kai) === "complete");
  expect(kai.messages(jun.id)).toHaveLength(1);
});

/** Nothing more comes, either way, on the channels that open for a file than the first frame of each end, until it is called. */
function mutesAfterOneFrame(fid: string): () => void {
  const { send } = FakeDataChannel.prototype;
  const muted = new Map<FakeDataChannel, boolean>();
  let isMuting = true;
  vi.spyOn(FakeDataChannel.prototype, "send").mockImplementation(function (this: FakeDataChannel, data) {
    if (this.label.startsWith(fid) && muted.get(this)) return;
    if (!muted.has(this)) muted.set(this, isMuting);
    send.call(this, data);
  });
  return () => {
    isMuting = false;
  };
}

it.each(["another member", "its author"])(
  "goes on with %s where the member that gives it says nothing more in the middle",
  async (other) => {
    const { world, mara, people, kai, returns } = await afterMaraLeft(["Jun", "Noor"]);
    const [jun = expect.fail(), noor = expect.fail()] = people;
    await noor.close();
    await world.clock.advance(5_000);
    await returns(jun);
    const ends = mutesAfterOneFrame(fileAt(kai).file.fid);
    await accept(kai);
    await world.until(() => searchAt(kai) === "given");
    await world.clock.advance(10_000);
    ends();
    // It may go on, as long as nobody else has the file.
    await world.clock.advance(300_000);
    const [given = expect.fail()] = kai.messages(jun.id).filter((message) => message.type === "file");
    expect(kai.offerOf(given, jun.id)?.state).toBe("running");
    expect(searchAt(kai)).toBe("given");
    const next = other === "another member" ? noor : mara;
    await next.reopen();
    await world.untilMet(next, kai);
    await world.clock.advance(10_000);
    await world.until(() => stateAt(kai) === "complete");
    expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
    expect(kai.messages(jun.id)).toMatchObject([{ offers: { [jun.id]: { state: "failed" } } }]);
  },
);

it("goes on with the member that it left for the author, who leaves without giving it", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const serve = promisesOnly(jun);
  await accept(kai);
  await world.until(() => searchAt(kai) === "given");
  await mara.open();
  vi.spyOn(mara.exchange.fileOffers, "receive").mockImplementation(async () => {});
  await mara.warren.room.join();
  await world.untilMet(mara, kai);
  await world.clock.advance(75_000);
  expect(kai.messages(jun.id)).toMatchObject([{ offers: { [jun.id]: { state: "failed" } } }]);
  serve.mockRestore();
  await mara.close();
  await world.clock.advance(60_000);
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("asks all again once the author is back and does not begin", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const find = vi.spyOn(jun.exchange.ownShares, "find").mockImplementation(() => {
    throw new WarrenError("cache-not-found", { id: "" });
  });
  await accept(kai);
  // It is asked less and less by now.
  await world.clock.advance(1_200_000);
  find.mockRestore();
  await mara.open();
  vi.spyOn(mara.exchange.fileOffers, "receive").mockImplementation(async () => {});
  await mara.warren.room.join();
  await world.untilMet(mara, kai);
  await world.clock.advance(130_000);
  expect(stateAt(kai)).toBe("complete");
});

it("gets it of the members where its author begins and says nothing more", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await mara.reopen();
  await returns(jun, mara);
  const ends = mutesAfterOneFrame(fileAt(kai).file.fid);
  await accept(kai);
  await world.clock.advance(10_000);
  ends();
  await world.clock.advance(120_000);
  await world.until(() => stateAt(kai) === "complete");
  expect(kai.messages(jun.id)).toHaveLength(1);
});

it("asks a member again that did not have it, and stays quiet about that", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const find = vi.spyOn(jun.exchange.ownShares, "find").mockImplementation(() => {
    throw new WarrenError("cache-not-found", { id: "" });
  });
  await accept(kai);
  await world.until(() => searchAt(kai) === "nobody");
  const shown = new Set<unknown>();
  kai.warren.chat.searches.subscribe(() => shown.add(searchAt(kai)));
  await world.clock.advance(600_000);
  expect(find.mock.calls.length).toBeGreaterThan(2);
  expect(find.mock.calls.length).toBeLessThan(6);
  expect([...shown]).toEqual([]);
  find.mockRestore();
  await world.clock.advance(480_000);
  await world.until(() => stateAt(kai) === "complete");
});

it("goes on after a page that ended before it had requested the file", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  await returns(...people);
  const { fileOffers } = kai.exchange;
  const decide = fileOffers.decide.bind(fileOffers);
  vi.spyOn(fileOffers, "decide").mockImplementation(async (...args) => {
    await decide(...args);
    if (args[0] === "pause") await new Promise(() => {});
  });
  await accept(kai);
  await world.until(() => stateAt(kai) === "pausedHere");
  await kai.reload();
  // Who was not asked for it yet is asked a minute later.
  await world.clock.advance(60_000);
  await world.until(() => stateAt(kai) === "complete");
});

it("pauses the author's offer after a page that ended before it had", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  vi.spyOn(kai.exchange.fileOffers, "decide").mockImplementation(async (event, ...args) => {
    if (event === "pause") await new Promise(() => {});
    await FileOffers.prototype.decide.call(kai.exchange.fileOffers, event, ...args);
  });
  await accept(kai);
  await world.until(() => kai.messages(jun.id).length === 1);
  await jun.close();
  expect(stateAt(kai)).toBe("accepted");
  await kai.reload();
  await world.until(() => stateAt(kai) === "pausedHere");
});

it("requests nothing of a member once the person has given up meanwhile", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const serve = vi.spyOn(jun.exchange.ownShares, "serve");
  const { fileOffers } = kai.exchange;
  vi.spyOn(kai.exchange.offers, "givenFor").mockImplementation((...args) => {
    const given = Offers.prototype.givenFor.apply(kai.exchange.offers, args);
    // While what comes of the member is being stored.
    if (searchAt(kai) === "given") void fileOffers.decide("cancel", fileAt(kai).key);
    return given;
  });
  await accept(kai);
  await world.clock.advance(10_000);
  expect(stateAt(kai)).toBe("givenUp");
  expect(serve).not.toHaveBeenCalled();
  expect(kai.messages(jun.id)).toMatchObject([{ offers: { [jun.id]: { state: "givenUp" } } }]);
});

it("blames no member for what another one gave before it", async () => {
  const { world, people, kai, returns } = await afterMaraLeft(["Eve", "Jun"]);
  const [eve = expect.fail(), jun = expect.fail()] = people;
  await forge(eve);
  await jun.close();
  await world.clock.advance(5_000);
  await returns(eve);
  kai.files.holdAt = 1;
  await accept(kai);
  await world.until(() => kai.files.writeCount > 0);
  await eve.close();
  kai.files.lose();
  await kai.reload();
  await jun.reopen();
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("asks for a file after many others that nobody has", async () => {
  const isHeld = (name: string) => name === "29.txt";
  const { world, people, kai, returns } = await afterMaraLeft(["Jun"], [], { files: notes(30), isHeld });
  await returns(...people);
  const all = filesAt(kai);
  await Promise.all(all.map(({ key }) => kai.warren.chat.acceptFile(key)));
  const { key } = all.find(({ file }) => isHeld(file.fileName)) ?? expect.fail();
  await world.until(() => isComplete(kai, key));
});

it("gets more files at once than a member answers questions about at a time", async () => {
  const { world, people, kai, returns } = await afterMaraLeft(["Jun"], [], { files: notes(90) });
  await returns(...people);
  const keys = filesAt(kai).map(({ key }) => key);
  await Promise.all(keys.map((key) => kai.warren.chat.acceptFile(key)));
  await world.until(() => keys.every((key) => isComplete(kai, key)));
});

it("asks a member again that left before it answered", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const silent = vi.spyOn(jun.exchange.ownShares, "find").mockImplementation(() => {});
  await accept(kai);
  await world.until(() => silent.mock.calls.length === 1);
  await jun.close();
  await world.until(() => searchAt(kai) === "nobody");
  await jun.reopen();
  await world.until(() => stateAt(kai) === "complete");
});

it("goes on from the same member after a reload, and with the author who came back meanwhile", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  kai.files.holdAt = 1;
  await accept(kai);
  await world.until(() => kai.files.writeCount > 0 && kai.messages(jun.id).length === 1);
  kai.files.lose();
  await kai.reload();
  expect(searchAt(kai)).toBe("given");
  await mara.reopen();
  await world.untilMet(mara, kai);
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
  expect(kai.messages(jun.id)).toHaveLength(1);
  await world.until(() => fileAt(mara).offers[kai.id]?.state === "complete");
});

it("goes on with who gives it in another room, and knows that in the first", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  kai.files.holdAt = 1;
  await accept(kai);
  await world.until(() => kai.files.writeCount > 0 && kai.messages(jun.id).length === 1);
  await kai.goTo("attic");
  kai.files.release();
  await jun.goTo("attic");
  await world.untilMet(kai, jun);
  await world.until(() => kai.warren.chat.searches.getState().size === 0);
  expect(kai.messages(jun.id)).toMatchObject([{ type: "file", offers: { [jun.id]: { state: "complete" } } }]);
  await kai.goTo("burrow");
  await world.until(() => filesAt(kai).length === 1);
  expect(stateAt(kai)).toBe("complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("goes on with the author who comes back after a member has left in the middle", async () => {
  const { world, mara, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const { id } = jun;
  kai.files.holdAt = 1;
  await accept(kai);
  await world.until(() => kai.files.writeCount > 0);
  await jun.close();
  await world.clock.advance(5_000);
  kai.files.release();
  await mara.reopen();
  await world.until(() => stateAt(kai) === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
  expect(kai.messages(id)).toMatchObject([{ type: "file", offers: { [id]: { state: "failed" } } }]);
});

it("gives up with the person, who may change their mind", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  vi.spyOn(jun.exchange.ownShares, "serve").mockImplementation(async () => {});
  await accept(kai);
  await world.until(() => kai.messages(jun.id).length === 1);
  await kai.warren.chat.cancelFile(kai.messages(jun.id)[0]?.key ?? expect.fail());
  await world.until(() => stateAt(kai) === "givenUp");
  expect(searchAt(kai)).toBeUndefined();
  vi.restoreAllMocks();
  await kai.warren.chat.askAgain(fileAt(kai).key);
  await world.until(() => stateAt(kai) === "complete");
});

it("says that there is no space, whoever gives it", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  kai.files.limitBytes = 100_000;
  await accept(kai);
  await world.until(() => stateAt(kai) === "failed");
  expect(fileAt(kai).offers[fileAt(kai).client]).toMatchObject({ error: { code: "not-enough-space" } });
  kai.files.limitBytes = 1e9;
  await kai.warren.chat.resumeFile(fileAt(kai).key);
  await world.until(() => stateAt(kai) === "complete");
});

/** What a page answers to a message that comes as if from this person. */
async function answersTo(person: TestPerson, from: TestPerson, message: OutgoingMessage) {
  const send = vi.spyOn(person.warren.room, "send");
  await person.warren.chat.receive(from.id, addressed(message, from.id, person.id, 0));
  await settle();
  const answers = send.mock.calls.flatMap(([to, answer]) =>
    to === from.id && answer.id === message.id ? [answer] : [],
  );
  send.mockRestore();
  return answers;
}

/** What somebody asks a member who may give a file. */
function questionTo(person: TestPerson, from: TestPerson, { file, client, id }: FileMessage) {
  const original = { client, id };
  const proof = fileProofOf(file.fid, original, { asker: from.id, asked: person.id });
  return { type: "find-file", id: "question-1", original, proof } as const;
}

it("gives a file to nobody who does not belong, cannot name its offer or asks too often", async () => {
  const { world, people, kai, returns } = await afterMaraLeft(["Jun"], ["Noor"]);
  const [jun = expect.fail(), noor = expect.fail()] = people;
  await returns(jun, noor);
  const { fid } = fileAt(jun).file;
  const { client, id } = fileAt(jun);
  const question = questionTo(jun, kai, fileAt(jun));
  const request = { type: "request-file", id: "question-1", fid, original: question.original } as const;
  const yes = { type: "check-message", id: "question-1", fid };
  const no = { type: "error", id: "question-1", code: "cache-not-found" };

  expect(await answersTo(jun, kai, question)).toMatchObject([yes]);
  expect(await answersTo(noor, kai, questionTo(noor, kai, fileAt(noor)))).toMatchObject([no]);
  for (const refused of [
    { ...question, original: { client, id: "another-id" } },
    { ...question, original: { client: noor.id, id } },
    // For another one, by another one, and about another file.
    questionTo(noor, kai, fileAt(jun)),
    questionTo(jun, noor, fileAt(jun)),
    questionTo(jun, kai, { ...fileAt(jun), file: { ...fileAt(jun).file, fid: "another-fid" } }),
    { ...request, fid: "another-fid" },
    { ...request, original: { client, id: "another-id" } },
  ])
    expect(await answersTo(jun, kai, refused)).toMatchObject([{ type: "error", code: "cache-not-found" }]);

  const tag = localTagOf({ roomId: "burrow", password: null });
  const refuses = async () => {
    for (const message of [question, request]) expect(await answersTo(jun, kai, message)).toMatchObject([no]);
  };
  jun.warren.chat.removeMember(tag, kai.id);
  await refuses();
  jun.warren.chat.allowMember(tag, kai.id);
  // What a removed member said is passed on by nobody.
  jun.warren.chat.removeMember(tag, client);
  await refuses();
  jun.warren.chat.allowMember(tag, client);
  jun.warren.settings.set("passOnFiles", false);
  await refuses();
  jun.warren.settings.set("passOnFiles", true);
  const altered = { ...(jun.warren.files.sourceOf(fid) ?? expect.fail()), root: "0".repeat(64) };
  const source = vi.spyOn(jun.warren.files, "sourceOf").mockReturnValue(altered);
  await refuses();
  source.mockRestore();
  for (const person of [jun, kai]) await person.goTo("attic");
  await world.untilMet(jun, kai);
  await refuses();
  for (const person of [jun, kai]) await person.goTo("burrow");
  await world.untilMet(jun, kai);
  expect(await answersTo(jun, kai, question)).toMatchObject([yes]);

  const guest = await world.keylessPerson("Guest");
  await guest.warren.room.join();
  await world.untilMet(jun, guest);
  expect(await answersTo(jun, guest, questionTo(jun, guest, fileAt(jun)))).toMatchObject([no]);

  for (let n = 0; n < 60; n++) await answersTo(jun, kai, question);
  expect(await answersTo(jun, kai, question)).toMatchObject([{ type: "error", code: "rate-limited" }]);
  await world.clock.advance(1_000);
  await jun.warren.chat.deleteFiles([fid]);
  await refuses();
});

it("gives a file no more to whom its person stopped giving it", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  kai.files.holdAt = 1;
  await accept(kai);
  await world.until(() => kai.files.writeCount > 0 && jun.messages(kai.id).length === 1);
  await jun.warren.chat.cancelFile(jun.messages(kai.id)[0]?.key ?? expect.fail());
  await world.until(() => searchAt(kai) === "nobody");
  kai.files.release();
  const question = questionTo(jun, kai, fileAt(jun));
  expect(await answersTo(jun, kai, question)).toMatchObject([{ type: "error", code: "cache-not-found" }]);
  await kai.warren.chat.resumeFile(fileAt(kai).key);
  await world.until(() => searchAt(kai) === "nobody");
});

it("tells nobody which file it asks for who cannot name it, and requests it of nobody who cannot", async () => {
  const { world, people, kai } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  // Of a file from before she came Eve knows the id of the entry.
  const eve = await world.person("Eve");
  await eve.warren.room.join();
  await world.untilMet(eve, jun);
  await jun.close();
  await world.clock.advance(5_000);
  await kai.reopen();
  await world.untilMet(kai, eve);
  await jun.reopen();
  await world.until(() => filesAt(kai).length === 1);
  await jun.close();
  await world.clock.advance(5_000);
  vi.spyOn(eve.exchange.ownShares, "find").mockImplementation((from, { id }) =>
    eve.warren.room.send(from, { type: "check-message", id }),
  );
  const send = vi.spyOn(kai.warren.room, "send");
  await accept(kai);
  await world.until(() => searchAt(kai) === "nobody");
  const told = send.mock.calls.flatMap(([to, message]) => (to === eve.id ? [message] : []));
  expect(told.filter(({ type }) => type === "find-file")).toHaveLength(1);
  expect(JSON.stringify(told)).not.toContain(fileAt(kai).file.fid);
  expect(kai.messages(eve.id)).toEqual([]);
});

it("gives a private file to nobody who invents an entry about it", async () => {
  const { world, people, kai, returns } = await afterMaraLeft();
  const [jun = expect.fail()] = people;
  await returns(jun);
  const secret = new File(["between the two of us"], "secret.txt", { lastModified: 1_600_000_000_000 });
  const noor = await world.person("Noor");
  await noor.warren.room.join();
  await world.untilMet(noor, jun);
  await noor.warren.chat.sendFile(jun.id, secret);
  await world.until(() => jun.messages(noor.id).length === 1);
  await jun.warren.chat.acceptFile(jun.messages(noor.id)[0]?.key ?? expect.fail());
  const file = () => jun.messages(noor.id).find((message) => message.type === "file") ?? expect.fail();
  await world.until(() => file().offers[noor.id]?.state === "complete");
  const { fid } = file().file;
  // Kai knows all that can be known of it.
  const source = jun.warren.files.sourceOf(fid);
  const mocks = [
    vi.spyOn(kai.warren.files, "addSource").mockReturnValue(file().file),
    vi.spyOn(kai.warren.files, "sourceOf").mockReturnValue(source),
  ];
  await kai.warren.chat.sendFile(everyone, secret);
  for (const mock of mocks) mock.mockRestore();
  const invented = () =>
    jun.messages(everyone).find((message): message is FileMessage => message.client === kai.id);
  await world.until(() => invented() !== undefined);
  const { client, id, root } = invented() ?? expect.fail();
  expect(root).toBe(source?.root);
  const request = { type: "request-file", id: "question-1", fid, original: { client, id } } as const;
  expect(await answersTo(jun, kai, request)).toMatchObject([{ type: "error", code: "cache-not-found" }]);
});
