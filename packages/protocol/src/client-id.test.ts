import { bytesToHex } from "@noble/hashes/utils.js";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatClientId } from "./client-id.ts";
import { clientIdSchema } from "./ids.ts";
import { clientIdOf, helloProofInput } from "./key-proof.ts";
import { v } from "./schema.ts";
import { check } from "./testing/fuzz.ts";
import { alice } from "./testing/samples.ts";

const count = (from: number, length: number) => Uint8Array.from({ length }, (_, i) => from + i);

it("derives the id of a key", () => {
  // Computed with Python's hashlib from docs/security.md.
  expect(clientIdOf(count(0x80, 91))).toBe("3bee5750-9253-4739-aa4a-4c4f01bb8108");
});

it("formats any bytes as a client id that keeps their first 122 bits", () => {
  check(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 32 }), (bytes) => {
      const id = formatClientId(bytes);
      expect(v.is(clientIdSchema, id)).toBe(true);
      const hex = id.replaceAll("-", "");
      const bits = [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
      const kept = bits.slice(0, 48) + bits.slice(52, 64) + bits.slice(66);
      const given = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
      expect(kept).toBe(given.slice(0, 122));
    }),
    200,
  );
});

it("encodes the data to sign: the server's nonce, the client id and the server's origin, each length-prefixed", () => {
  expect(bytesToHex(helloProofInput(count(0, 32), alice, "wss://warren.example.org:8443"))).toBe(
    "0768656c6c6f2f33" +
      "20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" +
      "2430303030303030302d303030302d343030302d383030302d303030303030303030303061" +
      "1d7773733a2f2f77617272656e2e6578616d706c652e6f72673a38343433",
  );
  const long = bytesToHex(helloProofInput(count(0, 32), alice, "a".repeat(200)));
  expect(long.endsWith(`c801${"61".repeat(200)}`)).toBe(true);
});
