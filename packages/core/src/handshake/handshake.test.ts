import { randomBytes } from "@noble/hashes/utils.js";
import { WarrenError } from "@warren/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { utf8 } from "./crypto/encoding.ts";
import type { HandshakeFailure } from "./handshake-error.ts";
import { unverifiableIdentity } from "./identity.ts";
import { createInitiator } from "./initiator.ts";
import { createResponder } from "./responder.ts";
import {
  establish,
  type Member,
  newMember,
  noPassword,
  otherPassword,
  password,
  run,
  towards,
} from "./testing/handshake-fixtures.ts";

const failure = (reason: HandshakeFailure) => new WarrenError("handshake-failed", { reason });

let alice: Member;
let bob: Member;

beforeAll(async () => {
  alice = await newMember();
  bob = await newMember();
});

const withoutKey = async (): Promise<Member> => ({
  identity: await unverifiableIdentity(),
  fingerprint: randomBytes(32),
});

describe("honest sides", () => {
  test.each([
    ["with a password", password],
    ["without one", noPassword],
  ])(
    "derive the same keys %s, learn each other's key and certificate, and can exchange signals",
    async (_, prs) => {
      const { a, b } = await establish(towards(alice, bob, prs), towards(bob, alice, prs));
      expect(a.peerIdentity).toEqual({ publicKey: bob.identity.publicKey, verifiable: true });
      expect(b.peerIdentity).toEqual({ publicKey: alice.identity.publicKey, verifiable: true });
      expect(a.remoteFingerprint).toEqual(bob.fingerprint);
      expect(b.remoteFingerprint).toEqual(alice.fingerprint);
      expect(a.sas).toEqual(b.sas);

      const offer = await a.sealer.seal("offer", utf8("from A"));
      expect(offer.seq).toBe(1);
      expect(await b.opener.open(offer)).toEqual(utf8("from A"));
      expect(await a.opener.open(await b.sealer.seal("answer", utf8("from B")))).toEqual(utf8("from B"));
    },
  );

  test("prove to each other that the connection belongs to the run", async () => {
    const { a, b } = await establish(towards(alice, bob), towards(bob, alice));
    const [fpA, fpB] = [alice.fingerprint, bob.fingerprint];
    expect(b.verifyBind(a.bindTag(fpA, fpB), fpB, fpA)).toBe(true);
    expect(a.verifyBind(b.bindTag(fpB, fpA), fpA, fpB)).toBe(true);
    expect(a.verifyBind(a.bindTag(fpA, fpB), fpA, fpB)).toBe(false);
    expect(() => a.bindTag(fpA, randomBytes(32))).toThrow(failure("fingerprint"));
    expect(() => a.verifyBind(b.bindTag(fpB, fpA), fpA, randomBytes(32))).toThrow(failure("fingerprint"));
  });

  test("can seal the offer before message 4 arrives", async () => {
    const initiator = createInitiator(towards(alice, bob));
    const responder = createResponder(towards(bob, alice));
    const message2 = responder.onMessage1(initiator.start());
    const { message, offerSealer } = await initiator.onMessage2(message2);
    const offer = await offerSealer.seal("offer", utf8("early"));
    const { message: message4, established } = await responder.onMessage3(message);
    expect(await established.opener.open(offer)).toEqual(utf8("early"));
    expect((await initiator.onMessage4(message4)).sealer).toBe(offerSealer);
  });

  test("interoperate with and without WebCrypto", async () => {
    const plain = await withoutKey();
    const { a, b } = await establish(towards(plain, bob), towards(bob, plain));
    expect(a.peerIdentity.verifiable).toBe(true);
    expect(b.peerIdentity).toEqual({ publicKey: new Uint8Array(0), verifiable: false });
    const reversed = await establish(towards(bob, plain), towards(plain, bob));
    expect(reversed.a.peerIdentity.verifiable).toBe(false);
    expect(reversed.b.peerIdentity.verifiable).toBe(true);
  });
});

describe("passwords", () => {
  test.each([
    ["two different", password, otherPassword],
    ["one on A's side only", password, noPassword],
    ["one on B's side only", noPassword, password],
  ])("%s: neither side completes", async (_, prsA, prsB) => {
    const { a, b, error } = await run(towards(alice, bob, prsA), towards(bob, alice, prsB));
    expect([a, b]).toEqual([null, null]);
    expect(error?.code).toBe("incorrect-password");
  });
});

describe("identities", () => {
  test("a client id that is not derived from the key is rejected on either side", async () => {
    const mallory = await newMember();
    const { identity } = mallory;
    const posing = { ...mallory, identity: { ...identity, clientId: bob.identity.clientId } };
    const asB = await run(towards(alice, bob), towards(posing, alice));
    const asA = await run(towards(posing, alice), towards(alice, bob));
    expect([asB.error, asA.error]).toEqual([failure("identity"), failure("identity")]);
  });

  test("a public key without its private key is rejected", async () => {
    const sign = (await newMember()).identity.sign;
    const posing = { ...bob, identity: { ...bob.identity, sign } };
    const asB = await run(towards(alice, bob), towards(posing, alice));
    const asA = await run(towards(posing, alice), towards(alice, bob));
    expect(asB.a).toBeNull();
    expect(asA.b).toBeNull();
    expect([asB.error, asA.error]).toEqual([failure("signature"), failure("signature")]);
  });

  test("a client without a key is not accepted as a contact with a known key", async () => {
    const claim = { ...(await withoutKey()), identity: await unverifiableIdentity(bob.identity.clientId) };
    const known = { peerMustProveId: true };
    const refused = await run(towards(alice, bob, password, known), towards(claim, alice));
    expect(refused.error).toEqual(failure("identity"));
    const stranger = await establish(towards(alice, bob), towards(claim, alice));
    expect(stranger.a.peerIdentity.verifiable).toBe(false);
  });

  test("a client cannot run with itself", () => {
    expect(() => createInitiator(towards(alice, alice))).toThrow(failure("identity"));
    expect(() => createResponder(towards(alice, alice))).toThrow(failure("identity"));
  });
});

describe("order", () => {
  test("each message counts once and in order, and an ended run remains ended", async () => {
    const initiator = createInitiator(towards(alice, bob));
    const responder = createResponder(towards(bob, alice));
    const message1 = initiator.start();
    const message2 = responder.onMessage1(message1);
    const { message: message3 } = await initiator.onMessage2(message2);
    await expect(initiator.onMessage2(message2)).rejects.toEqual(failure("order"));
    const { message: message4 } = await responder.onMessage3(message3);
    await expect(responder.onMessage3(message3)).rejects.toEqual(failure("order"));
    expect(() => responder.onMessage1(message1)).toThrow(failure("order"));
    await expect(initiator.onMessage4(message4)).rejects.toEqual(failure("order"));
    expect(() => initiator.start()).toThrow(failure("order"));
  });

  test("a message that arrives too early ends the run", async () => {
    const other = createInitiator(towards(alice, bob));
    const responder = createResponder(towards(bob, alice));
    const { message } = await other.onMessage2(responder.onMessage1(other.start()));
    const fresh = createResponder(towards(bob, alice));
    await expect(fresh.onMessage3(message)).rejects.toEqual(failure("order"));
    const { message: message4 } = await responder.onMessage3(message);
    const early = createInitiator(towards(alice, bob));
    early.start();
    await expect(early.onMessage4(message4)).rejects.toEqual(failure("order"));
  });
});

test("rejects invalid options", () => {
  const short = { fingerprint: new Uint8Array(31) };
  expect(() => createInitiator(towards(alice, bob, password, short))).toThrow(failure("fingerprint"));
  expect(() => createResponder(towards(bob, alice, password, { roomTag: "room" }))).toThrow(
    failure("decode"),
  );
});
