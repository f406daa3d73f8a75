/// <reference types="node" />
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { decodeBlock } from "./block.ts";
import { decodeValue } from "./decode.ts";
import { errorTexts } from "./errors.ts";
import { clientIdOf, helloProofInput } from "./key-proof.ts";
import { peerMessageSchema } from "./peer-message.ts";
import { v } from "./schema.ts";
import { sealedSignalSchema } from "./sealed-signal.ts";
import { signalSchema } from "./signal.ts";
import { clientFrameSchema, closeCodes, serverFrameSchema, signallingErrorCodes } from "./signalling.ts";
import { transferControlSchema } from "./transfer-control.ts";

const document = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
const schemas = [
  clientFrameSchema,
  serverFrameSchema,
  sealedSignalSchema,
  signalSchema,
  peerMessageSchema,
  transferControlSchema,
];

/** All examples: a code block is one object, or one per line. */
const examples = [...document.matchAll(/```json\n(.*?)```/gs)].flatMap(([, block = ""]): unknown[] => {
  try {
    return [JSON.parse(block)];
  } catch {
    return block
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
});

it.each(examples.map((example) => [JSON.stringify(example)]))(
  "its example is valid and read whole: %s",
  (text) => {
    const example: unknown = JSON.parse(text);
    const read = schemas.map((schema) => decodeValue<unknown>(schema, example));
    const taken = read.find(({ ok }) => ok);
    expect(taken).toMatchObject({ value: example });
  },
);

/** All keys of all kinds of the unions, such as `pong resumeToken`. */
const kindsAndKeys = schemas.flatMap((schema) =>
  schema.options.flatMap(({ entries }) =>
    Object.keys(entries).map((key) => `${entries.type.literal} ${key}`),
  ),
);

it("shows exactly the kinds of frames and messages, each with all its keys", () => {
  const shown = examples.flatMap((example) => {
    const { type, ...others } = Object(example) as { type?: string };
    return type === undefined ? [] : ["type", ...Object.keys(others)].map((key) => `${type} ${key}`);
  });
  expect([...new Set(shown)].sort()).toEqual([...new Set(kindsAndKeys)].sort());
});

/** The first two cells of each row of the tables below a heading, without backticks. */
function rowsBelow(heading: string): (readonly [string, string])[] {
  const text = document.split(`\n${heading}\n`)[1]?.split(/\n#+ Limits\n/)[0] ?? "";
  return [...text.matchAll(/^\| `([a-z-]+)` \| (.*?) \|/gm)].map(([, code = "", words = ""]) => [
    code,
    words,
  ]);
}

it("has the catalogue of errors verbatim", () => {
  expect(Object.fromEntries(rowsBelow("# Error catalogue"))).toEqual(errorTexts);
});

it("explains every code with which the server refuses a frame or closes a socket", () => {
  const explained = rowsBelow("## Frames of the server").map(([code]) => code);
  for (const code of signallingErrorCodes) expect(explained).toContain(code);
  for (const code of Object.values(closeCodes)) expect(document).toContain(`\n| ${code} | `);
});

it("has the example block and the example digests", async () => {
  const hex = /^00 00 00 01 .*$/m.exec(document)?.[0].replaceAll(" ", "") ?? "";
  const block = decodeBlock(Uint8Array.from(Buffer.from(hex, "hex")), 2);
  if (!block.ok) throw block.error;
  const { chunk, block: number, last, data, digest } = block.value;
  expect({ chunk, number, last, text: new TextDecoder().decode(data) }).toEqual({
    chunk: 1,
    number: 0,
    last: true,
    text: "hello",
  });
  const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const u32 = (value: number) => Buffer.from(value.toString(16).padStart(8, "0"), "hex");
  const u64 = (value: number) => Buffer.from(value.toString(16).padStart(16, "0"), "hex");
  const hello = Buffer.from("hello");
  expect(Buffer.from(digest ?? [])).toEqual(sha256(Buffer.of(0), u32(1), sha256(hello)));
  const root = (size: number, ...leaves: Buffer[]) =>
    sha256(Buffer.of(1), u64(size), u32(524_288), ...leaves).toString("hex");
  expect(document).toContain(`has the root\n\`${root(5, sha256(hello))}\`; an empty one \`${root(0)}\``);
  expect(document).toContain(`has the sample \`${sha256(Buffer.of(2), u64(5), hello).toString("hex")}\``);
});

it("has the right tag of the example room", () => {
  const [, room = "", tag] = /Room `(\w+)` has the tag `([\w-]{43})`/.exec(document) ?? [];
  expect(createHash("sha256").update("room/1").update(room).digest("base64url")).toBe(tag);
});

it("has no broken links to itself or security.md", () => {
  const anchorsOf = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
  const security = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const targets = { "": anchorsOf(document), "security.md": anchorsOf(security) };
  for (const [link, page = "", anchor] of document.matchAll(/\]\(((?:security\.md)?)#([\w-]+)\)/g))
    expect(targets[page === "" ? "" : "security.md"], link).toContain(anchor);
});

it("shows the right id of its example key, and a valid proof for its example challenge", async () => {
  const ofType = (type: string) => examples.find((example) => Reflect.get(Object(example), "type") === type);
  const hello = v.parse(clientFrameSchema, ofType("hello"));
  const challenge = v.parse(serverFrameSchema, ofType("challenge"));
  if (hello.type !== "hello" || challenge.type !== "challenge") throw new Error(hello.type);
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"));
  expect(clientIdOf(bytes(hello.publicKey))).toBe(hello.clientId);
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("spki", bytes(hello.publicKey), algorithm, false, ["verify"]);
  const signed = Uint8Array.from(helloProofInput(bytes(challenge.nonce), hello.clientId, hello.server));
  expect(await crypto.subtle.verify(algorithm, key, bytes(hello.proof), signed)).toBe(true);
});
