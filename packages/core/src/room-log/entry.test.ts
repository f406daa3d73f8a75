/// <reference types="node" />
import { readFileSync } from "node:fs";
import { decodePeerMessage, decodeValue, type LogEntry, limits, logEntrySchema } from "@warren/protocol";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import { logTagOf, passwordRelatedString } from "../handshake/crypto/password.ts";
import type { Identity } from "../handshake/identity.ts";
import { newIdentity } from "../handshake/testing/handshake-fixtures.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { type Entry, faultOfEntry, readEntry, signedBytes, writeEntry } from "./entry.ts";

const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";
const otherRoom = encodeBase64url(new Uint8Array(32).fill(7));
const time = 1_790_000_000_000;

let mara: Identity;
let maraKey: string;
let jon: Identity;

beforeAll(async () => {
  mara = await newIdentity();
  jon = await newIdentity();
  maraKey = encodeBase64url(mara.publicKey);
});

const wireOf = ({ tag: _tag, author: _author, hash: _hash, ...wire }: Entry): LogEntry => wire;

test("an author's entries follow each other, and are read as they were written", async () => {
  const first = await writeEntry(mara, room, null, { time, name: "Mara", kind: "text", body: "Hello" });
  const second = await writeEntry(mara, room, first, { time, name: "Mara", kind: "text", body: "there" });
  expect([first.n, first.prev, second.n, second.prev]).toEqual([1, undefined, 2, first.hash]);
  for (const entry of [first, second]) {
    const decoded = decodeValue(logEntrySchema, JSON.parse(JSON.stringify(wireOf(entry))));
    if (!decoded.ok) throw decoded.error;
    const read = readEntry(room, mara.clientId, decoded.value);
    expect(read.entry).toEqual(entry);
    expect(await faultOfEntry(read, maraKey)).toBeNull();
  }
});

test("an entry of another room, author, key or content is not its author's", async () => {
  const entry = await writeEntry(mara, room, null, { time, name: "Mara", kind: "text", body: "Hello" });
  const wire = wireOf(entry);
  const fault = (changed: Partial<LogEntry>, tag = room, author = mara.clientId, key = maraKey) =>
    faultOfEntry(readEntry(tag, author, { ...wire, ...changed }), key);

  expect(await fault({})).toBeNull();
  expect(await fault({}, otherRoom)).toBe("signature");
  expect(await fault({ body: "Hello!" })).toBe("signature");
  expect(await fault({ n: 2 })).toBe("signature");
  expect(await fault({ prev: entry.hash })).toBe("signature");
  expect(await fault({ time: time + 1 })).toBe("signature");
  expect(await fault({ kind: "file" })).toBe("signature");
  expect(await fault({ about: { client: jon.clientId, id: "m-000001" } })).toBe("signature");
  expect(await fault({ name: "Jon" })).toBe("signature");
  expect(await fault({ signature: "A".repeat(86) })).toBe("signature");
  expect(await fault({ signature: "not base64url" })).toBe("signature");
  const jonKey = encodeBase64url(jon.publicKey);
  expect(await fault({}, room, jon.clientId)).toBe("author");
  expect(await fault({}, room, mara.clientId, jonKey)).toBe("author");
  expect(await fault({}, room, jon.clientId, jonKey)).toBe("signature");
  expect(await fault({}, room, mara.clientId, "")).toBe("author");
});

test("two different entries never have the same signed bytes", () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeBase64url);
  const content = fc.record({
    n: fc.integer({ min: 1, max: limits.entryNumber }),
    prev: fc.option(hash, { nil: undefined }),
    time: fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    name: fc.string({ maxLength: 3 }),
    kind: fc.constantFrom("text", "file", "texts"),
    about: fc.option(fc.record({ client: fc.constant(room), id: fc.string({ maxLength: 3 }) }), {
      nil: undefined,
    }),
    body: fc.string({ unit: "grapheme", maxLength: 20 }),
  });
  const key = (entry: object) => JSON.stringify(entry);
  fc.assert(
    fc.property(content, content, (one, other) => {
      const bytes = [one, other].map((entry) => encodeBase64url(signedBytes(room, mara.clientId, entry)));
      expect(bytes[0] === bytes[1]).toBe(key(one) === key(other));
    }),
  );
});

test("a body over the limit, with a lone surrogate, or of no known shape is not read", () => {
  const wire = { n: 1, time, name: "Mara", kind: "text", body: "Hello", signature: "A".repeat(86) };
  expect(decodeValue(logEntrySchema, wire).ok).toBe(true);
  for (const changed of [
    { body: "a".repeat(limits.textBytes + 1) },
    { body: "\uD800" },
    { n: 0 },
    { n: limits.entryNumber + 1 },
    { n: 1.5 },
    { name: "" },
    { name: " Mara" },
    { name: "x".repeat(65) },
    { prev: "short" },
    { kind: "" },
    { about: "m-000001" },
    { kind: "a-kind-with-too-many-letters" },
    { time: "now" },
    { signature: "" },
  ])
    expect(
      decodeValue(logEntrySchema, { ...wire, ...changed }).ok,
      JSON.stringify(changed).slice(0, 60),
    ).toBe(false);
});

test("the tag of a log comes from the password as docs/protocol.md says", async () => {
  const document = readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8");
  const prs = await passwordRelatedString("harbour", room, globalThis.crypto.subtle);
  const tag = logTagOf(room, prs);
  expect(document).toContain(`\`${tag}\``);
  const entry = await writeEntry(mara, tag, null, { time, name: "Mara", kind: "text", body: "Hello" });
  const fault = (signedFor: string) =>
    faultOfEntry(readEntry(signedFor, mara.clientId, wireOf(entry)), maraKey);
  expect(await fault(tag)).toBeNull();
  expect(await fault(room)).toBe("signature");
});

test("the example in docs/protocol.md is signed, for the room that it names", async () => {
  const document = readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8");
  const example = (type: string) => {
    const line = document.split("\n").find((text) => text.startsWith(`{"type": "${type}"`));
    const decoded = decodePeerMessage(line);
    if (!decoded.ok) throw decoded.error;
    return decoded.value;
  };
  const [heads, page] = [example("heads"), example("entries")];
  if (heads.type !== "heads" || page.type !== "entries") throw new Error(page.type);
  const { author = "" } = page;
  const [one, two] = page.entries.map((wire) => readEntry(roomTagOf("test"), author, wire));
  if (one === undefined || two === undefined) throw new Error("the example has two entries");
  for (const read of [one, two]) expect(await faultOfEntry(read, page.key ?? "")).toBeNull();
  expect(two.entry.prev).toBe(one.entry.hash);
  expect(heads.heads).toMatchObject([{ author, n: 2, count: 2, hash: two.entry.hash }]);
});
