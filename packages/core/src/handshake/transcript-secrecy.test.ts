/**
 * A server that records everything: it has the transcripts of many joins of one room, and a list of words that contains
 * the password. The attacker does not have to do the slow derivation from a password.
 */
import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { calculateGenerator, intermediateSessionKey, transcript } from "./crypto/cpace.ts";
import { decodeBase64url, lvCat, utf8 } from "./crypto/encoding.ts";
import { confirmationTag, deriveRunKeys } from "./crypto/key-schedule.ts";
import type { HandshakeMessage } from "./handshake-message.ts";
import {
  type Member,
  newMember,
  repetitions,
  roomTag,
  run,
  timeoutMs,
  towards,
} from "./testing/handshake-fixtures.ts";
import { associatedDataOf, channelIdentifier, decodeRoomTag, sessionIdOf } from "./transcript.ts";

const joins = repetitions(50, 1_000);
const words = repetitions(2_000, 1_000_000);
/** The words tried between two yields: the runner considers a test that never yields dead. */
const wordsPerTurn = 500;
const password = "correct horse";

/** All fields of the four messages of a join, and of the two boxes after them. */
type Transcript = ReadonlyMap<string, string>;

// The attacker uses Node's hashes, which are fast and independent of those under test.
const sha256 = (...parts: readonly Uint8Array[]) => digest("sha256", parts);
const sha512 = (...parts: readonly Uint8Array[]) => digest("sha512", parts);
const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest();
const base64url = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");

function digest(algorithm: string, parts: readonly Uint8Array[]): Uint8Array {
  return parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest();
}

const quickPrs = (word: string) => sha256(utf8(`prs/${word}`));
const fieldBytes = (transcribed: Transcript, field: string) =>
  decodeBase64url(transcribed.get(field) ?? "") ?? new Uint8Array();

async function transcribe(a: Member, b: Member, word: string): Promise<Transcript> {
  const fields = new Map<string, string>();
  const note = <M extends HandshakeMessage>(message: M): M => {
    for (const [name, value] of Object.entries(message))
      if (name !== "type" && name !== "v") fields.set(`${message.type}.${name}`, String(value));
    return message;
  };
  const prs = quickPrs(word);
  const { a: keysA, b: keysB } = await run(towards(a, b, prs), towards(b, a, prs), note);
  const description = utf8(JSON.stringify({ sdp: "v=0\r\n".repeat(20) }));
  fields.set("offer.box", (await keysA?.sealer.seal("offer", description))?.box ?? "");
  fields.set("answer.box", (await keysB?.sealer.seal("answer", description))?.box ?? "");
  return fields;
}

async function transcribeAll(a: Member, b: Member, word: string): Promise<Transcript[]> {
  const all: Transcript[] = [];
  for (let i = 0; i < joins; i++) all.push(await transcribe(a, b, word));
  return all;
}

/** Fields of a client or its page, which do not depend on the run. */
const lasting = ["hs2.fpB", "hs2.idPubB", "hs3.fpA", "hs3.idPubA"];

test(
  `${joins} joins with one password repeat nothing but keys and certificates, which are the same with another`,
  async () => {
    const [a, b] = [await newMember(), await newMember()];
    const same = await transcribeAll(a, b, password);
    const other = await transcribeAll(a, b, "another one");
    for (const field of same[0]?.keys() ?? []) {
      const values = [...same, ...other].map((join) => join.get(field));
      expect([field, new Set(values).size]).toEqual([field, lasting.includes(field) ? 1 : values.length]);
      expect([field, new Set(values.map((value) => value?.length)).size]).toEqual([field, 1]);
      expectAlike(
        same.map((join) => fieldBytes(join, field)),
        other.map((join) => fieldBytes(join, field)),
        field,
      );
    }
  },
  timeoutMs(2 * joins),
);

/** Expects that no bit of a field is set more often with one password than with another, beyond six standard deviations. */
function expectAlike(one: readonly Uint8Array[], other: readonly Uint8Array[], field: string): void {
  const bound = 6 * Math.sqrt(one.length / 2);
  for (let bit = 0; bit < 8 * (one[0]?.length ?? 0); bit++) {
    const ones = (all: readonly Uint8Array[]) =>
      all.reduce((sum, bytes) => sum + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1), 0);
    const apart = Math.abs(ones(one) - ones(other));
    if (apart > bound)
      throw new Error(`bit ${bit} of ${field} tells passwords apart: ${apart} of ${one.length}`);
  }
}

/** A server's record of one join, prepared for trying words. */
interface Target {
  readonly sid: Uint8Array;
  readonly ci: Uint8Array;
  /** CPace's transcript, which both sides confirm. */
  readonly said: Uint8Array;
  readonly shares: readonly Uint8Array[];
}

function targetOf(join: Transcript, a: Member, b: Member): Target {
  const field = (name: string) => fieldBytes(join, name);
  const partyOf = (nonce: string, fingerprint: string, publicKey: string) =>
    associatedDataOf({ nonce: field(nonce), fingerprint: field(fingerprint), publicKey: field(publicKey) });
  return {
    sid: sessionIdOf(field("hs1.C"), field("hs2.rB")),
    ci: channelIdentifier(decodeRoomTag(roomTag), a.identity.clientId, b.identity.clientId),
    said: transcript(
      { share: field("hs3.Ya"), associatedData: partyOf("hs3.rA", "hs3.fpA", "hs3.idPubA") },
      { share: field("hs2.Yb"), associatedData: partyOf("hs2.rB", "hs2.fpB", "hs2.idPubB") },
    ),
    shares: [field("hs3.Ya"), field("hs2.Yb")],
  };
}

/** The tags of both sides if `secret` were the secret point. */
function tagsFor({ sid, said }: Target, secret: Uint8Array): readonly Uint8Array[] {
  const isk = sha512(lvCat("CPaceRistretto255_ISK", sid, secret), said);
  const root = hmac(sid, isk);
  return ["mac A", "mac B"].map((label) => hmac(hmac(root, utf8(label), Uint8Array.of(1)), said));
}

/** Values that an attacker can compute from a word and a join, and search for in the transcript. */
function candidatesOf(word: string, target: Target): readonly Uint8Array[] {
  const { sid, ci, said } = target;
  const prs = quickPrs(word);
  const generator = calculateGenerator({ prs, ci, sid }).toBytes();
  // The secret point cannot be computed from outside; these are what a word yields instead.
  const tags = [generator, prs].flatMap((point) => tagsFor(target, point));
  // The tag of a scheme that authenticates its messages with the password itself.
  const passwordTags = [hmac(prs, said), hmac(prs, sid), sha256(prs, sid)];
  return [prs, sha256(utf8(word)), sha256(prs), generator, ...tags, ...passwordTags];
}

test("the attacker's formulas are those of the handshake", () => {
  const target = { sid: fill(1), ci: fill(2), said: fill(3), shares: [] };
  const { mac } = deriveRunKeys(intermediateSessionKey(target.sid, fill(4), target.said), target.sid);
  const own = [mac.A, mac.B].map((key) => base64url(confirmationTag(key, target.said)));
  expect(tagsFor(target, fill(4)).map(base64url)).toEqual(own);
});

const fill = (byte: number) => new Uint8Array(32).fill(byte);

test(
  `a list of ${words} words, the right one among them, finds nothing in the transcript of ${joins} joins`,
  async () => {
    const [a, b] = [await newMember(), await newMember()];
    const all = await transcribeAll(a, b, password);
    const said = new Set(all.flatMap((join) => [...join.values()]));
    const targets = all.map((join) => targetOf(join, a, b));
    const countIn = (among: ReadonlySet<string>, candidates: readonly Uint8Array[]) =>
      candidates.filter((candidate) => among.has(base64url(candidate))).length;
    let hits = 0;
    for (const target of targets) {
      // The right word against each join, and a share instead of the secret, which needs no word.
      hits += countIn(said, candidatesOf(password, target));
      for (const share of target.shares) hits += countIn(said, tagsFor(target, share));
    }
    // Each other word against one join.
    for (let word = 0; word < words; word++) {
      const target = targets[word % targets.length] ?? expect.fail();
      hits += countIn(said, candidatesOf(`word ${word}`, target));
      if (word % wordsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(hits).toBe(0);

    // Proof that the search works: it finds the values in messages that contain them.
    const target = targets[0] ?? expect.fail();
    for (const leak of candidatesOf(password, target)) {
      const leaking = new Set([...said, base64url(leak)]);
      expect(countIn(leaking, candidatesOf(password, target))).toBe(1);
      expect(countIn(leaking, candidatesOf("wrong word", target))).toBe(0);
    }
  },
  timeoutMs(joins) + 10 * words,
);
