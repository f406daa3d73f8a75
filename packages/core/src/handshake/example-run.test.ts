/// <reference types="node" />
import { readFileSync } from "node:fs";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, it } from "vitest";
import {
  calculateGenerator,
  createShare,
  intermediateSessionKey,
  multiplyAndVerify,
  transcript,
} from "./crypto/cpace.ts";
import { decodeBase64url, lvCat, utf8 } from "./crypto/encoding.ts";
import { confirmationTag, deriveRunKeys } from "./crypto/key-schedule.ts";
import { passwordRelatedString } from "./crypto/password.ts";
import { createSealer } from "./crypto/sealed-box.ts";
import { clientIdOf } from "./identity.ts";
import { safetyCodeIndexes, safetyCodeNumbers, safetyCodeOf } from "./sas.ts";
import {
  associatedDataOf,
  channelIdentifier,
  commitmentOf,
  decodeRoomTag,
  sessionIdOf,
} from "./transcript.ts";

const section = (document: string, heading: string): string => {
  const text = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), "utf8");
  return text.split(`\n${heading}\n`)[1]?.split("\n#")[0] ?? "";
};

/** The document's table: each row has a name and a value in backticks. */
const documented = Object.fromEntries(
  [...section("security.md", "### An example run").matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
    ([, name, value]) => [name, value],
  ),
);

const bytes = (value: number, count: number) => new Uint8Array(count).fill(value);
const publicKey =
  decodeBase64url(
    /"publicKey": "([\w-]{122})"/.exec(section("protocol.md", "## Frames of the client"))?.[1] ?? "",
  ) ?? new Uint8Array();
const clientIdA = clientIdOf(publicKey);
const clientIdB = "22222222-2222-4222-8222-222222222222";
const roomTag = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";

it("has the values that security.md prints", async () => {
  const a = { nonce: bytes(0x0a, 16), fingerprint: bytes(0xaa, 32), publicKey };
  const b = { nonce: bytes(0x0b, 16), fingerprint: bytes(0xbb, 32), publicKey: new Uint8Array() };
  const room = decodeRoomTag(roomTag);
  const prs = await passwordRelatedString("harbour", roomTag, crypto.subtle);
  const commitment = commitmentOf(a);
  const sid = sessionIdOf(commitment, b.nonce);
  const inputs = { prs, ci: channelIdentifier(room, clientIdA, clientIdB), sid };
  const shareA = createShare(inputs, BigInt(`0x${"01".repeat(32)}`));
  const shareB = createShare(inputs, BigInt(`0x${"02".repeat(32)}`));
  const tr = transcript(
    { share: shareA.bytes, associatedData: associatedDataOf(a) },
    { share: shareB.bytes, associatedData: associatedDataOf(b) },
  );
  const k = multiplyAndVerify(shareA.scalar, shareB.bytes);
  const isk = intermediateSessionKey(sid, k, tr);
  const keys = deriveRunKeys(isk, sid);
  const sealer = createSealer(keys.seal.A, sid, "A");
  await sealer.seal("sig", bytes(0, 64));
  const offer = await sealer.seal("offer", utf8('{"type":"offer","sdp":"v=0\\r\\n"}'));
  expect({
    clientIdA,
    roomTag: bytesToHex(room),
    PRS: bytesToHex(prs),
    C: bytesToHex(commitment),
    sid: bytesToHex(sid),
    "SHA-256(CI)": bytesToHex(sha256(inputs.ci)),
    g: bytesToHex(calculateGenerator(inputs).toBytes()),
    Ya: bytesToHex(shareA.bytes),
    Yb: bytesToHex(shareB.bytes),
    "SHA-256(tr)": bytesToHex(sha256(tr)),
    K: bytesToHex(k),
    ISK: bytesToHex(isk),
    Ta: bytesToHex(confirmationTag(keys.mac.A, tr)),
    Tb: bytesToHex(confirmationTag(keys.mac.B, tr)),
    "key seal A>B": bytesToHex(keys.seal.A),
    "box 1 of A": offer.box,
    "key bind": bytesToHex(keys.bind),
    "proof of A": bytesToHex(hmac(sha256, keys.bind, lvCat("A", a.fingerprint, b.fingerprint))),
    "proof of B": bytesToHex(hmac(sha256, keys.bind, lvCat("B", b.fingerprint, a.fingerprint))),
    "safety code": safetyCodeNumbers(safetyCodeIndexes(safetyCodeOf(room, a, b))).join(" "),
  }).toEqual(documented);
  // Both sides derive the same secret.
  expect(multiplyAndVerify(shareB.scalar, shareA.bytes)).toEqual(k);
});
