/// <reference types="node" />
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { decodeValue } from "./decode.ts";
import { clientIdOf, helloProofInput } from "./key-proof.ts";
import { peerMessageSchema } from "./peer-message.ts";
import { sealedSignalSchema } from "./sealed-signal.ts";
import { signalSchema } from "./signal.ts";
import { clientFrameSchema, serverFrameSchema } from "./signalling.ts";
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

/** Every example: a block is one object, or one on each line. */
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

it.each(examples.map((example) => [JSON.stringify(example)]))("the document tells the truth: %s", (text) => {
  const example: unknown = JSON.parse(text);
  const read = schemas.map((schema) => decodeValue<unknown>(schema, example));
  const taken = read.find(({ ok }) => ok);
  expect(taken).toMatchObject({ value: example });
});

it("has an example of every frame of signalling", () => {
  const shown = new Set(examples.map((example) => Reflect.get(Object(example), "type")));
  for (const schema of [clientFrameSchema, serverFrameSchema, sealedSignalSchema]) {
    for (const option of schema.def.options) expect(shown).toContain([...option.shape.type.def.values][0]);
  }
});

it("shows the id of the key it shows, and a proof that answers the challenge it shows", async () => {
  const ofType = (type: string) => examples.find((example) => Reflect.get(Object(example), "type") === type);
  const hello = clientFrameSchema.parse(ofType("hello"));
  const challenge = serverFrameSchema.parse(ofType("challenge"));
  if (hello.type !== "hello" || challenge.type !== "challenge") throw new Error(hello.type);
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"));
  expect(clientIdOf(bytes(hello.publicKey))).toBe(hello.clientId);
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("spki", bytes(hello.publicKey), algorithm, false, ["verify"]);
  const signed = Uint8Array.from(helloProofInput(bytes(challenge.nonce), hello.clientId, hello.server));
  expect(await crypto.subtle.verify(algorithm, key, bytes(hello.proof), signed)).toBe(true);
});
