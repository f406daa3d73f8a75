/**
 * In a room without a password, a server can try to make Alice believe that she met Eve while Bob believes that he met
 * Alice. Both certificates stay genuine, so the connection would be between Alice and Bob: Eve could not read it, but
 * Bob's messages would be attributed to her.
 */
import { type ClientId, WarrenError } from "@warren/protocol";
import { beforeAll, expect, test } from "vitest";
import { createShare, intermediateSessionKey, multiplyAndVerify, transcript } from "./crypto/cpace.ts";
import { decodeBase64url, encodeBase64url } from "./crypto/encoding.ts";
import { confirmationTag, deriveRunKeys } from "./crypto/key-schedule.ts";
import { createOpener, createSealer } from "./crypto/sealed-box.ts";
import { signatureKind } from "./handshake-message.ts";
import { unverifiableIdentity } from "./identity.ts";
import { createInitiator } from "./initiator.ts";
import { createResponder } from "./responder.ts";
import { type Member, newMember, noPassword, roomTag, towards } from "./testing/handshake-fixtures.ts";
import {
  associatedDataOf,
  channelIdentifier,
  decodeRoomTag,
  type Party,
  type Role,
  sessionIdOf,
  signedRun,
} from "./transcript.ts";

let alice: Member;
let bob: Member;
let eve: Member;

beforeAll(async () => {
  alice = await newMember();
  bob = await newMember();
  eve = await newMember();
});

const bytes = (text: string) => decodeBase64url(text) ?? new Uint8Array(0);

/** One of Eve's ends of CPace, which needs no secret without a password. */
function eveEnd(role: Role, idA: ClientId, idB: ClientId, sid: Uint8Array) {
  const ci = channelIdentifier(decodeRoomTag(roomTag), idA, idB);
  const own = createShare({ prs: noPassword, ci, sid });
  const finish = (peerShare: Uint8Array, a: Party, b: Party) => {
    const [shareA, shareB] = role === "A" ? [own.bytes, peerShare] : [peerShare, own.bytes];
    const runTranscript = transcript(
      { share: shareA, associatedData: associatedDataOf(a) },
      { share: shareB, associatedData: associatedDataOf(b) },
    );
    const secretPoint = multiplyAndVerify(own.scalar, peerShare);
    const keys = deriveRunKeys(intermediateSessionKey(sid, secretPoint, runTranscript), sid);
    return { keys, tag: encodeBase64url(confirmationTag(keys.mac[role], runTranscript)) };
  };
  return { share: encodeBase64url(own.bytes), finish };
}

/** Eve connects a run between Alice and herself with a run between Bob and Alice; both have the same session id. */
async function misbind(a: Member, b: Member) {
  const ids = { a: a.identity.clientId, b: b.identity.clientId, eve: eve.identity.clientId };
  const initiator = createInitiator(towards(a, eve, noPassword));
  const responder = createResponder(towards(b, a, noPassword));
  const message1 = initiator.start();
  const message2 = responder.onMessage1(message1);
  const sid = sessionIdOf(bytes(message1.C), bytes(message2.rB));

  // To Alice, Eve presents Bob's nonce and certificate with her own key.
  const left = eveEnd("B", ids.a, ids.eve, sid);
  const { message: message3 } = await initiator.onMessage2({
    ...message2,
    idPubB: encodeBase64url(eve.identity.publicKey),
    Yb: left.share,
  });
  const partyA = {
    nonce: bytes(message3.rA),
    fingerprint: a.fingerprint,
    publicKey: a.identity.publicKey,
  };
  const partyB = {
    nonce: bytes(message2.rB),
    fingerprint: b.fingerprint,
    publicKey: b.identity.publicKey,
  };
  const partyEve = { ...partyB, publicKey: eve.identity.publicKey };
  const leftEnd = left.finish(bytes(message3.Ya), partyA, partyEve);
  const fromAlice = createOpener(leftEnd.keys.seal.A, sid, "A");
  const signatureA = await fromAlice.open({ seq: 0, kind: signatureKind, box: message3.sig });

  // To Bob, she presents Alice's signature from the other run.
  const right = eveEnd("A", ids.a, ids.b, sid);
  const rightEnd = right.finish(bytes(message2.Yb), partyA, partyB);
  const { box } = await createSealer(rightEnd.keys.seal.A, sid, "A").seal(signatureKind, signatureA);
  const endBob = () => responder.onMessage3({ ...message3, Ya: right.share, Ta: rightEnd.tag, sig: box });

  // To Alice, she signs as herself.
  const names = {
    sid,
    clientIds: { A: ids.a, B: ids.eve },
    fingerprints: { A: a.fingerprint, B: b.fingerprint },
  };
  const signatureE = await eve.identity.sign(signedRun("B", names));
  const { box: sig } = await createSealer(leftEnd.keys.seal.B, sid, "B").seal(signatureKind, signatureE);
  const aliceEnds = initiator.onMessage4({ type: "hs4", Tb: leftEnd.tag, sig });
  return { aliceEnds, endBob };
}

test("identity misbinding fails at Bob, because Alice's signature names her peer", async () => {
  const { endBob } = await misbind(alice, bob);
  await expect(endBob()).rejects.toEqual(new WarrenError("handshake-failed", { reason: "signature" }));
});

test("identity misbinding fails at the binding of the connection when Alice has no key to sign with", async () => {
  const keyless = { ...alice, identity: await unverifiableIdentity() };
  const { aliceEnds, endBob } = await misbind(keyless, bob);
  const { established } = await endBob();
  const tag = established.bindTag(bob.fingerprint, keyless.fingerprint);
  expect((await aliceEnds).verifyBind(tag, keyless.fingerprint, bob.fingerprint)).toBe(false);
  expect((await aliceEnds).sas).not.toEqual(established.sas);
});
