/**
 * What a server that writes everything down can make of it: the transcript of many joins of one room, and a list of
 * words in which the right one stands. The slow derivation from a password is given to the attacker for nothing.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { calculateGenerator, intermediateSessionKey, transcript } from "./cpace.ts";
import { decodeBase64url, encodeBase64url, utf8 } from "./encoding.ts";
import type { HandshakeMessage } from "./handshake-message.ts";
import { confirmationTag, deriveRunKeys } from "./key-schedule.ts";
import {
  type Member,
  newMember,
  patienceMs,
  repetitions,
  roomTag,
  run,
  towards,
} from "./testing/handshake-fixtures.ts";
import { associatedDataOf, channelIdentifier, decodeRoomTag, sessionIdOf } from "./transcript.ts";

const joins = repetitions(50, 1_000);
const words = repetitions(2_000, 1_000_000);
const password = "correct horse";

/** Every field of the four messages of one join, and of two boxes behind them. */
type Transcript = ReadonlyMap<string, string>;

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
  fields.set("offer.box", keysA?.sealer.seal("offer", description).box ?? "");
  fields.set("answer.box", keysB?.sealer.seal("answer", description).box ?? "");
  return fields;
}

async function transcribeAll(a: Member, b: Member, word: string): Promise<Transcript[]> {
  const all: Transcript[] = [];
  for (let i = 0; i < joins; i++) all.push(await transcribe(a, b, word));
  return all;
}

/** What belongs to a client or its page and not to the run. */
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
  patienceMs(2 * joins),
);

/** No bit of a field is set more often under one password than under another, beyond six standard deviations. */
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

/** What an attacker can compute from a word and one join's transcript, and look for among everything that was said. */
function candidatesOf(word: string, join: Transcript, a: Member, b: Member): readonly Uint8Array[] {
  const prs = quickPrs(word);
  const field = (name: string) => fieldBytes(join, name);
  const sid = sessionIdOf(field("hs1.C"), field("hs2.rB"));
  const ci = channelIdentifier(decodeRoomTag(roomTag), a.identity.clientId, b.identity.clientId);
  const partyOf = (nonce: string, fingerprint: string, publicKey: string) =>
    associatedDataOf({ nonce: field(nonce), fingerprint: field(fingerprint), publicKey: field(publicKey) });
  const said = transcript(
    { share: field("hs3.Ya"), associatedData: partyOf("hs3.rA", "hs3.fpA", "hs3.idPubA") },
    { share: field("hs2.Yb"), associatedData: partyOf("hs2.rB", "hs2.fpB", "hs2.idPubB") },
  );
  const generator = calculateGenerator({ prs, ci, sid }).toBytes();
  // The secret point is not to be had from the outside; these are the points that are.
  const tags = [generator, field("hs3.Ya"), field("hs2.Yb"), prs].flatMap((point) => {
    const { mac } = deriveRunKeys(intermediateSessionKey(sid, point, said), sid);
    return [confirmationTag(mac.A, said), confirmationTag(mac.B, said)];
  });
  return [prs, sha256(utf8(word)), sha256(prs), generator, ...tags, ...passwordTags(prs, sid, said)];
}

/** What a scheme that tags its messages with the password itself would send. */
function passwordTags(prs: Uint8Array, sid: Uint8Array, said: Uint8Array): readonly Uint8Array[] {
  return [hmac(sha256, prs, said), hmac(sha256, prs, sid), sha256(concatBytes(prs, sid))];
}

test(
  `a list of ${words} words, the right one among them, finds nothing in the transcript of ${joins} joins`,
  async () => {
    const [a, b] = [await newMember(), await newMember()];
    const all = await transcribeAll(a, b, password);
    const said = new Set(all.flatMap((join) => [...join.values()]));
    const search = (word: string, join: Transcript, among: ReadonlySet<string>) =>
      candidatesOf(word, join, a, b).filter((candidate) => among.has(encodeBase64url(candidate))).length;
    let hits = 0;
    // The right word against each join, every other one against some join.
    for (const join of all) hits += search(password, join, said);
    for (let i = 0; i < words; i++) hits += search(`word ${i}`, all[i % all.length] ?? new Map(), said);
    expect(hits).toBe(0);

    // The search is one that finds: here with messages that carry what it looks for.
    const [join] = all;
    if (join === undefined) throw new Error("no join");
    const leaks = candidatesOf(password, join, a, b).map(encodeBase64url);
    for (const leak of leaks) expect(search(password, join, new Set([...said, leak]))).toBeGreaterThan(0);
    // The four tags made of the shares alone are the same for every word.
    expect(search("wrong word", join, new Set([...said, ...leaks]))).toBe(4);
  },
  patienceMs(joins) + 20 * words,
);
