import { sha256 } from "@noble/hashes/sha2.js";
import { clientIdSchema, v } from "@warren/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8 } from "./crypto/encoding.ts";
import {
  clientIdOf,
  generateIdentityKey,
  identityOf,
  publicKeyBytes,
  randomClientId,
  signatureBytes,
  unverifiableIdentity,
} from "./identity.ts";
import { verifyIdentitySignature } from "./identity-signature.ts";
import { newIdentity } from "./testing/handshake-fixtures.ts";

const data = utf8("data to sign");

test("a key gives the same client id each time it is loaded", async () => {
  const pair = await generateIdentityKey(crypto.subtle);
  const one = await identityOf(pair, crypto.subtle);
  const again = await identityOf(structuredClone(pair), crypto.subtle);
  expect(again.clientId).toBe(one.clientId);
  expect(one.clientId).toBe(clientIdOf(one.publicKey));
  expect(one.publicKey).toHaveLength(publicKeyBytes);
  expect((await newIdentity()).clientId).not.toBe(one.clientId);
});

test("the private key cannot be exported", async () => {
  const { privateKey } = await generateIdentityKey(crypto.subtle);
  await expect(crypto.subtle.exportKey("pkcs8", privateKey)).rejects.toThrow();
});

test("client ids are v4 UUIDs that contain the first 122 bits", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (key) => {
      const id = clientIdOf(key);
      expect(v.is(clientIdSchema, id)).toBe(true);
      const bits = [...id.replaceAll("-", "")]
        .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0"))
        .join("");
      const digest = [...sha256(Uint8Array.from([...utf8("id/1"), ...key]))]
        .map((byte) => byte.toString(2).padStart(8, "0"))
        .join("");
      const free = bits.slice(0, 48) + bits.slice(52, 64) + bits.slice(66);
      expect(free).toBe(digest.slice(0, 122));
    }),
  );
  expect(v.is(clientIdSchema, randomClientId())).toBe(true);
  expect(randomClientId()).not.toBe(randomClientId());
});

test("accepts WebCrypto's signatures, with high and low s alike", async () => {
  const { publicKey, sign } = await newIdentity();
  for (let i = 0; i < 20; i++) {
    const message = Uint8Array.of(i);
    const signature = await sign(message);
    expect(signature).toHaveLength(signatureBytes);
    expect(await verifyIdentitySignature(publicKey, message, signature)).toBe(true);
  }
});

test("rejects signatures of other data or keys, and everything malformed", async () => {
  const { publicKey, sign } = await newIdentity();
  const other = await newIdentity();
  const signature = await sign(data);
  const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));

  expect(await verifyIdentitySignature(publicKey, utf8("other data"), signature)).toBe(false);
  expect(await verifyIdentitySignature(other.publicKey, data, signature)).toBe(false);
  for (const at of [0, 31, 32, 63]) {
    expect(await verifyIdentitySignature(publicKey, data, flipped(signature, at))).toBe(false);
  }
  for (const at of [0, 10, 25, 26, 27, 90]) {
    expect(await verifyIdentitySignature(flipped(publicKey, at), data, signature)).toBe(false);
  }
  expect(await verifyIdentitySignature(publicKey, data, new Uint8Array(64))).toBe(false);
  expect(await verifyIdentitySignature(publicKey, data, signature.subarray(1))).toBe(false);
  expect(await verifyIdentitySignature(new Uint8Array(0), data, signature)).toBe(false);
});

test("an identity without WebCrypto keeps its client id and proves nothing", async () => {
  const identity = await unverifiableIdentity("11111111-1111-4111-8111-111111111111");
  expect(identity.clientId).toBe("11111111-1111-4111-8111-111111111111");
  expect(identity.verifiable).toBe(false);
  expect(identity.publicKey).toHaveLength(0);
  expect(await identity.sign(data)).toHaveLength(signatureBytes);
});
