/**
 * Known answers for everything that Warren adds to CPace. The expected values were computed independently of this code,
 * with Python's hashlib and hmac, from docs/security.md; they also fix the format.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { encodeBase64url } from "./crypto/encoding.ts";
import { deriveRunKeys } from "./crypto/key-schedule.ts";
import { passwordRelatedString } from "./crypto/password.ts";
import { clientIdOf } from "./identity.ts";
import { safetyCodeIndexes, safetyCodeNumbers, safetyCodeOf } from "./sas.ts";
import { associatedDataOf, channelIdentifier, commitmentOf, sessionIdOf, signedRun } from "./transcript.ts";

const count = (from: number, length: number) => Uint8Array.from({ length }, (_, i) => from + i);
const roomTag = count(0, 32);
const a = { nonce: count(0x10, 16), fingerprint: count(0x40, 32), publicKey: count(0x80, 91) };
const b = { nonce: count(0x20, 16), fingerprint: count(0x60, 32), publicKey: count(0, 0) };
const commitment = commitmentOf(a);
const sid = sessionIdOf(commitment, b.nonce);

test("commitment, session id and associated data", () => {
  expect(bytesToHex(commitment)).toBe("5b334fe0e37bdf20250b566462e0779c16f5d0ba43ba133fa52bde4bc3c3c271");
  expect(bytesToHex(sid)).toBe("d7fab6b20dc0dd0173de620ee9d4daaef883d4fc7de654212d7964f41a04dc80");
  expect(bytesToHex(sha256(associatedDataOf(a)))).toBe(
    "c125650478dec829ca30d5d8963d26b183459de283c3b8aaeb3c027889846ed9",
  );
});

test("channel identifier", () => {
  const ci = channelIdentifier(
    roomTag,
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
  );
  expect(bytesToHex(ci)).toBe(
    "056170702f3120000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f04696e6974" +
      "2431313131313131312d313131312d343131312d383131312d31313131313131313131313104726573702432" +
      "323232323232322d323232322d343232322d383232322d323232323232323232323232",
  );
});

test("the signed data of each side", () => {
  const names = {
    sid,
    clientIds: {
      A: "11111111-1111-4111-8111-111111111111",
      B: "22222222-2222-4222-8222-222222222222",
    },
    fingerprints: { A: a.fingerprint, B: b.fingerprint },
  };
  const digest = (role: "A" | "B") => bytesToHex(sha256(signedRun(role, names)));
  expect(digest("A")).toBe("e7cefc733d1505e0a6b63e171625c73dacbfa285cc1196535d69a48735e24542");
  expect(digest("B")).toBe("c31b43c503a54a7073d4d5caea2ae5b2f7482fec7ece3a4de3d03a6f90b0ee73");
});

test("the keys of a run", () => {
  const { mac, seal, bind } = deriveRunKeys(count(0, 64), sid);
  expect([mac.A, mac.B, seal.A, seal.B, bind].map(bytesToHex)).toEqual([
    "4d7f75bad9c38504466a9ad407a14d52c2aa2d52c9a0ed626d470f2a3ec0a8f8",
    "cd264f2eeee86fc795993f521eac4bb71525046cc94a9df29a4e5b2cba57ebba",
    "90eb040466e975df6a27faff97bf58af11a7534d6fa80f8d86f36ebd583b9148",
    "359216374881b90faa7b2623e6a70ca9551f08b4af98e5602c2a189bfa602208",
    "ab0870257b16e7e7d2f1cd3e2e75723f528bee4423e944eeba29bd51f722f361",
  ]);
});

test("safety code, as emoji indexes and as numbers", () => {
  const code = safetyCodeOf(roomTag, a, b);
  expect(bytesToHex(code)).toBe("cac846a36cc0");
  expect(safetyCodeIndexes(code)).toEqual([50, 44, 33, 6, 40, 54, 51]);
  expect(safetyCodeNumbers(safetyCodeIndexes(code))).toEqual([22978, 11130, 13507]);
});

test("client id of a key", () => {
  expect(clientIdOf(a.publicKey)).toBe("3bee5750-9253-4739-aa4a-4c4f01bb8108");
});

test("password-related string, with WebCrypto and without, however the accent is composed", async () => {
  const tag = encodeBase64url(roomTag);
  const expected = "963e2b5eb213268ceca08f64bc7e6c33ba9c9d8589e52816d5e68e8ddb7a90eb";
  const native = await passwordRelatedString("Cafe\u0301 42", tag, crypto.subtle);
  const portable = await passwordRelatedString("Caf\u00e9 42", tag, undefined);
  expect(bytesToHex(native)).toBe(expected);
  expect(bytesToHex(portable)).toBe(expected);
});

test("no password gives an empty string", async () => {
  const tag = encodeBase64url(roomTag);
  expect(await passwordRelatedString(null, tag, crypto.subtle)).toHaveLength(0);
  expect(await passwordRelatedString("", tag, undefined)).toHaveLength(0);
});
