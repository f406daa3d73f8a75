import type { ClientId, LogEntry, PeerMessageOf } from "@warren/protocol";
import { expect, it } from "vitest";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import type { Identity } from "../handshake/identity.ts";
import { newIdentity } from "../handshake/testing/handshake-fixtures.ts";
import { entryMessageId, everyone } from "../messages/message.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { type Entry, type EntryContent, writeEntry } from "../room-log/entry.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const burrow = roomTagOf("burrow");

/** Delivers a peer's message past the rate limit. */
function says(to: TestPerson, from: ClientId, message: OutgoingMessage): Promise<void> {
  return to.warren.chat.receive(from, addressed(message, from, to.id, 1_700_000_000_000));
}

function page(author: Identity, ...entries: readonly Entry[]): OutgoingMessage {
  const wire = entries.map(({ tag: _tag, author: _author, hash: _hash, ...entry }): LogEntry => entry);
  return { type: "entries", author: author.clientId, key: encodeBase64url(author.publicKey), entries: wire };
}

/** Mara and Jun in a room; Jun passes on what Lea, who is not there, may have written. */
async function withAuthor() {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = await world.twoPeers();
  await world.clock.advance(3_000);
  const lea = await newIdentity();
  const violations: string[] = [];
  mara.warren.room.on("violation", (_from, issue) => violations.push(issue));
  const write = (body: string, before: Entry | null = null, room = burrow, time = world.clock.now()) =>
    writeEntry(lea, room, before, { time, name: "Lea", kind: "text", body });
  return { world, mara, jun, lea, violations, write };
}

it("shows what its author signed, whoever passes it on, once", async () => {
  const { mara, jun, lea, violations, write } = await withAuthor();
  const first = await write("first");
  const second = await write("second", first);
  for (const entries of [[second], [first], [first, second]]) await says(mara, jun.id, page(lea, ...entries));
  expect(mara.texts(everyone)).toEqual(["first", "second"]);
  expect(mara.warren.chat.store.getState().contacts[lea.clientId]?.name).toBe("Lea");
  expect(violations).toEqual([]);
});

it("says how much has not arrived, until it does", async () => {
  const { world, mara, jun, lea, write } = await withAuthor();
  const missing = () => mara.warren.chat.missing.getState();
  const entries = [await write("one")];
  for (const text of ["two", "three", "four"]) entries.push(await write(text, entries.at(-1)));
  const [first, second, third, fourth] = entries;
  if (!first || !second || !third || !fourth) throw new Error("there are four");
  await says(mara, jun.id, page(lea, first, fourth));
  await world.clock.advance(2_000);
  expect(missing()).toEqual({});
  await world.clock.advance(6_000);
  expect(missing()).toEqual({ [lea.clientId]: 2 });
  await says(mara, jun.id, page(lea, second));
  await world.clock.advance(1_000);
  expect(missing()).toEqual({ [lea.clientId]: 1 });
  await says(mara, jun.id, page(lea, third));
  await world.clock.advance(1_000);
  expect(missing()).toEqual({});
  expect(mara.texts(everyone)).toEqual(["one", "two", "three", "four"]);
});

it("drops and counts what was forged, or written for another room", async () => {
  const { mara, jun, lea, violations, write } = await withAuthor();
  const genuine = await write("genuine");
  const foreign = await write("foreign", null, roomTagOf("attic"));
  const eve = await newIdentity();
  await says(mara, jun.id, page(lea, { ...genuine, body: "forged" }, foreign, { ...genuine, n: 7 }));
  await says(mara, jun.id, { ...page(lea, genuine), key: encodeBase64url(eve.publicKey) } as OutgoingMessage);
  await says(mara, jun.id, { ...page(lea, genuine), author: eve.clientId } as OutgoingMessage);
  expect(mara.texts(everyone)).toEqual([]);
  expect(violations).toEqual([
    ...Array.from({ length: 3 }, () => "an entry of another signature"),
    ...Array.from({ length: 2 }, () => "an entry of another author"),
  ]);
  await says(mara, jun.id, page(lea, genuine));
  expect(mara.texts(everyone)).toEqual(["genuine"]);
});

it("takes an entry without an author for its sender's alone, under the key that it has proven", async () => {
  const { mara, jun, lea, violations, write } = await withAuthor();
  const genuine = await write("genuine");
  const { author: _author, key: _key, ...bare } = page(lea, genuine) as PeerMessageOf<"entries">;
  await says(mara, jun.id, bare);
  await says(mara, jun.id, { ...bare, author: lea.clientId });
  await says(mara, jun.id, { ...bare, key: encodeBase64url(lea.publicKey) });
  expect(mara.texts(everyone)).toEqual([]);
  expect(violations).toEqual([
    "an entry of another signature",
    "an entry of another author",
    "an entry of another author",
  ]);
});

it("shows both versions of an entry, and no third", async () => {
  const { mara, jun, lea, write } = await withAuthor();
  const versions = [await write("one"), await write("two"), await write("three")];
  await says(mara, jun.id, page(lea, ...versions));
  expect(mara.texts(everyone).sort()).toEqual(["one", "two"]);
  const doubts = () => mara.messages(everyone).map((message) => message.type === "text" && message.doubt);
  expect(doubts()).toEqual(["forked", "forked"]);
  await mara.reload();
  expect(doubts()).toEqual(["forked", "forked"]);
});

it.each([
  ["text", "from the future"],
  ["file", JSON.stringify(description("f-000001"))],
])("shows no %s as later than now, whatever time it claims", async (kind, body) => {
  const { world, mara, jun, lea } = await withAuthor();
  const content = { time: world.clock.now() + 1e10, name: "Lea", kind, body };
  await says(mara, jun.id, page(lea, await writeEntry(lea, burrow, null, content)));
  const [message] = mara.messages(everyone);
  expect(message).toMatchObject({ type: kind });
  expect(message?.sortedAt).toBeLessThanOrEqual(world.clock.now());
  expect(message?.createdAt).toBeLessThanOrEqual(world.clock.now());
});

it("shows a fork on every entry, whatever its kind, and takes what is written after it", async () => {
  const { world, mara, jun, lea, violations } = await withAuthor();
  const write = (before: Entry | null, kind: string, body: string, about?: EntryContent["about"]) =>
    writeEntry(lea, burrow, before, {
      time: world.clock.now(),
      name: "Lea",
      kind,
      body,
      ...(about && { about }),
    });
  let last: Entry | null = null;
  for (let n = 0; n < 30; n++) {
    const one: Entry = await write(last, "text", `one ${n}`);
    const file = await write(last, "file", JSON.stringify(description(`f-${100_000 + n}`)));
    const subject = { client: lea.clientId, id: entryMessageId(one.n, one.hash) };
    const deletions = [await write(one, "delete", "", subject), await write(one, "delete", "1", subject)];
    for (const entry of [one, file, ...deletions]) await says(mara, jun.id, page(lea, entry));
    last = deletions[0] ?? null;
  }
  await says(mara, jun.id, page(lea, await write(last, "text", "after all that")));
  expect(mara.texts(everyone).filter((text) => text !== "")).toEqual(["after all that"]);
  expect(mara.messages(everyone).filter(({ type }) => type === "file")).toHaveLength(30);
  expect(violations).toEqual([]);
});

it("lets nobody delete what another one wrote, on the screen or in the log", async () => {
  const { world, mara, jun, lea, write } = await withAuthor();
  const eve = await newIdentity();
  const text = await write("stays");
  const eves = await writeEntry(eve, burrow, null, { time: 1, name: "Eve", kind: "text", body: "Eve's" });
  await says(mara, jun.id, page(lea, text));
  await says(mara, jun.id, page(eve, eves));
  await says(mara, jun.id, page(eve, await about(eve, text, eves, { kind: "delete", body: "1" })));
  for (const isReloaded of [false, true]) {
    if (isReloaded) await mara.reload();
    await world.clock.advance(1_000);
    expect(mara.texts(everyone)).toEqual(["Eve's", "stays"]);
    const logged = (await mara.storedRecords()).filter(({ group }) => group === `log/${burrow}`);
    expect(JSON.stringify(logged)).toContain("stays");
  }
});

it("takes the entries of a few hundred authors that one member may have invented, and no more", async () => {
  const { world, mara, jun, violations } = await withAuthor();
  const invent = async (n: number) => {
    const author = await newIdentity();
    const content = { time: 1, name: "Nobody", kind: "text", body: `invented ${n}` };
    await says(mara, jun.id, page(author, await writeEntry(author, burrow, null, content)));
  };
  for (let n = 0; n < 300; n++) await invent(n);
  expect(mara.texts(everyone).length).toBeLessThanOrEqual(200);
  const { contacts } = mara.warren.chat.store.getState();
  // And Jun.
  expect(Object.keys(contacts).length).toBeLessThanOrEqual(201);
  await jun.warren.chat.sendText(everyone, "and I");
  await world.until(() => mara.texts(everyone).includes("and I"));
  expect(violations).toEqual([]);
});

it("keeps the room working under heads without end and a thousand invented authors", async () => {
  const { world, mara, jun, lea, write } = await withAuthor();
  const hash = encodeBase64url(new Uint8Array(32));
  for (let n = 1; n <= 1_000; n++) {
    const author = `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const heads = [{ author, from: 1, whole: 1, n: 9_999_999_999, count: 9_999_999_999, hash }];
    await says(mara, jun.id, { type: "heads", heads, members: [{ client: author, since: 0 }] });
    const without = { from: 1, until: 9_999_999_999 };
    await says(mara, jun.id, { type: "request-entries", author: mara.id, ...without });
  }
  await world.clock.advance(120_000);
  await says(mara, jun.id, page(lea, await write("still here")));
  await jun.warren.chat.sendText(everyone, "and I");
  await world.until(() => mara.texts(everyone).length === 2);
  expect(mara.texts(everyone)).toEqual(["still here", "and I"]);
});

function description(fid: string) {
  return { fid, fileName: "a.bin", fileSize: 1, mimeType: "", lastModified: 0, chunkSize: 16_384 };
}

/** An entry of somebody about another one. */
function about(
  author: Identity,
  subject: Entry,
  before: Entry | null,
  change: Pick<EntryContent, "kind" | "body">,
) {
  const id = entryMessageId(subject.n, subject.hash);
  const content = {
    time: 1_700_000_000_000,
    name: "Somebody",
    about: { client: subject.author, id },
    ...change,
  };
  return writeEntry(author, burrow, before, content);
}

it.each([
  ["text", "edit", "deletion"],
  ["text", "deletion", "edit"],
  ["edit", "text", "deletion"],
  ["edit", "deletion", "text"],
  ["deletion", "text", "edit"],
  ["deletion", "edit", "text"],
] as const)("leaves nothing of a deleted text that comes as %s, %s, %s", async (...order) => {
  const { mara, jun, lea, write } = await withAuthor();
  const text = await write("a mistake");
  const edit = await about(lea, text, text, { kind: "edit", body: "another mistake" });
  const deletion = await about(lea, text, edit, { kind: "delete", body: "" });
  for (const which of order) await says(mara, jun.id, page(lea, { text, edit, deletion }[which]));
  expect(mara.texts(everyone)).toEqual([""]);
  expect(JSON.stringify(await mara.storedRecords())).not.toContain("mistake");
});

it("keeps no change of a text that has not arrived for longer than the log holds it", async () => {
  const { mara, jun, lea, write } = await withAuthor();
  const eve = await newIdentity();
  const text = await write("late");
  let last = await about(eve, text, null, { kind: "react", body: "👍" });
  await says(mara, jun.id, page(eve, last));
  for (let count = 0; count < 45; count++) {
    last = await about(eve, text, last, { kind: "edit", body: "x".repeat(190 * 1_024) });
    await says(mara, jun.id, page(eve, last));
  }
  await says(mara, jun.id, page(lea, text));
  expect(mara.messages(everyone)).toMatchObject([{ data: "late" }]);
  expect(mara.messages(everyone)[0]?.reactions).toBeUndefined();
});

it("shows no file that its author describes wrongly, and more of one author than may wait for an answer", async () => {
  const { mara, jun, lea } = await withAuthor();
  const bodies = [
    "",
    "{",
    "[]",
    JSON.stringify({ ...description("f-000001"), fileSize: -1 }),
    JSON.stringify({ ...description("f-000001"), chunkSize: 1 }),
    JSON.stringify({ ...description("f-000001"), sample: "short" }),
  ];
  let last: Entry | null = null;
  const offer = async (body: string): Promise<void> => {
    last = await writeEntry(lea, burrow, last, { time: 1_700_000_000_000, name: "Lea", kind: "file", body });
    await says(mara, jun.id, page(lea, last));
  };
  for (const body of bodies) await offer(body);
  expect(mara.messages(everyone)).toEqual([]);
  for (let n = 0; n < 210; n++) await offer(JSON.stringify(description(`f-${100_000 + n}`)));
  expect(mara.messages(everyone)).toHaveLength(200);
  expect(mara.warren.chat.missing.getState()).toEqual({});
});

it("shows a newcomer nothing that somebody invents of what was said before", async () => {
  const { world, mara, jun, lea, violations, write } = await withAuthor();
  const dayMs = 24 * 60 * 60 * 1_000;
  const genuine = await write("yesterday", null, burrow, world.clock.now() - dayMs / 2);
  const head = { author: lea.clientId, from: 1, whole: 1, n: 1, count: 1, hash: genuine.hash, earlier: 1 };
  await says(mara, jun.id, { type: "heads", heads: [head], members: [] });
  await says(mara, jun.id, page(lea, { ...genuine, body: "forged" }));
  expect(mara.texts(everyone)).toEqual([]);
  expect(violations).toEqual(["an entry of another signature"]);
  await says(mara, jun.id, page(lea, genuine));
  expect(mara.messages(everyone)).toMatchObject([{ data: "yesterday", earlierBy: jun.id }]);
});

it("bounds what 1,000 reactions in a second do, loses none of them, and shows the last", async () => {
  const { world, mara, jun, lea } = await withAuthor();
  await mara.warren.chat.sendText(everyone, "At nine");
  const [asked] = mara.messages(everyone);
  if (asked === undefined) throw new Error("there is a message");
  const about = { client: mara.id, id: asked.id };
  const entries: Entry[] = [];
  for (let n = 1; n <= 1_000; n++) {
    const content = {
      time: world.clock.now() + n,
      name: "Lea",
      kind: "react",
      about,
      body: n % 2 ? "👍" : "👎",
    };
    entries.push(await writeEntry(lea, burrow, entries.at(-1) ?? null, content));
  }
  const applied = new Set<unknown>();
  const note = () => applied.add(mara.messages(everyone)[0]?.reactions);
  mara.warren.chat.store.subscribe(note);
  for (let at = 0; at < 1_000; at += 100) await says(mara, jun.id, page(lea, ...entries.slice(at, at + 100)));
  // What a stranger may at once, and none before.
  expect(applied.size).toBeLessThanOrEqual(31);
  const logged = async () => (await mara.storedRecords()).filter(({ group }) => group === `log/${burrow}`);
  expect(await logged()).toHaveLength(1_001);

  await mara.reload();
  await world.untilMet(mara, jun);
  await world.clock.advance(30_000);
  const last = { emoji: ["👎"], at: entries.at(-1)?.time };
  expect(mara.messages(everyone)[0]?.reactions).toEqual({ [lea.clientId]: last });
  await world.clock.advance(5_000);
  const waiting = (await logged()).filter(({ value }) => JSON.stringify(value).includes('"waits"'));
  expect(waiting).toEqual([]);
});
