/**
 * All test vectors of draft-irtf-cfrg-cpace-21 (23 April 2026) for ristretto255 and SHA-512, and those of the string
 * functions used here. `hex` joins the lines, which break as in the draft.
 */
import { bytesToNumberLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { WarrenError } from "@warren/protocol";
import { expect, test } from "vitest";
import {
  calculateGenerator,
  createShare,
  generatorString,
  intermediateSessionKey,
  multiplyAndVerify,
  sampleScalar,
  transcript,
} from "./cpace.ts";
import { utf8 } from "./encoding.ts";

const hex = (...lines: string[]) => hexToBytes(lines.join(""));
const scalar = (...lines: string[]) => bytesToNumberLE(hex(...lines));

// B.3.1
const inputs = {
  prs: utf8("Password"),
  ci: hex("0b415f696e69746961746f720b425f726573706f6e646572"),
  sid: hex("7e4b4791d6a8ef019b936c79fb7f2c57"),
};

// B.3.2
const ya = scalar("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4f", "f0976d08");
const shareA = hex("d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0eec", "482b9157");
const contributionA = { share: shareA, associatedData: utf8("ADa") };

// B.3.3
const yb = scalar("d2316b454718c35362d83d69df6320f38578ed5984651435e2949762", "d900b80d");
const shareB = hex("3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7", "433f7258");
const contributionB = { share: shareB, associatedData: utf8("ADb") };

// B.3.4
const secretPoint = hex("80b69a8a76457ab6a4d7f887a4bf6b55a2f80ac19c333f917a05fc98", "87c8b40f");

test("B.3.1: generator string, its hash and the generator", () => {
  const text = generatorString(inputs);
  expect(text).toEqual(
    hex(
      "11435061636552697374726574746f3235350850617373776f726464",
      "00000000000000000000000000000000000000000000000000000000",
      "00000000000000000000000000000000000000000000000000000000",
      "00000000000000000000000000000000000000000000000000000000",
      "00000000000000000000000000000000180b415f696e69746961746f",
      "720b425f726573706f6e646572107e4b4791d6a8ef019b936c79fb7f",
      "2c57",
    ),
  );
  expect(sha512(text)).toEqual(
    hex(
      "da6d3ddc8802fca9058755ffd3ebde08a9c2c74945901a258482a288",
      "b6663af06bf645c93cd1c51512307199c80e84908916d983b34af772",
      "05f90851a657ee27",
    ),
  );
  expect(calculateGenerator(inputs).toBytes()).toEqual(
    hex("222b6b195fe84b1652badb6f6a3ae3d24341e7306967f0b8115b40d5", "698c7e56"),
  );
});

test("B.3.2 and B.3.3: the shares of both sides", () => {
  expect(createShare(inputs, ya).bytes).toEqual(shareA);
  expect(createShare(inputs, yb).bytes).toEqual(shareB);
});

test("B.3.4: the secret point, from either side", () => {
  expect(multiplyAndVerify(ya, shareB)).toEqual(secretPoint);
  expect(multiplyAndVerify(yb, shareA)).toEqual(secretPoint);
});

test("B.3.5: transcript_ir and ISK_IR", () => {
  const runTranscript = transcript(contributionA, contributionB);
  expect(runTranscript).toEqual(
    hex(
      "20d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0e",
      "ec482b915703414461203ea7e0b19560d7c0b0f5734f63b955286dfa",
      "8232b5ebe63324e2d9e7433f725803414462",
    ),
  );
  expect(intermediateSessionKey(inputs.sid, secretPoint, runTranscript)).toEqual(
    hex(
      "b69effbf61b51d56401c0f65601abe428de8206feaaf0e32198896dc",
      "ae7b35cd2b38950a39dfd5d4a79164614c2984f7daa460b588c1e80c",
      "3fa2068af7900447",
    ),
  );
});

test("B.3.6: ISK_SY, over the ordered transcript of the draft", () => {
  // Ya is the larger here, so the ordered concatenation is "oc" and the transcript of B.3.5.
  const ordered = concatBytes(utf8("oc"), transcript(contributionA, contributionB));
  expect(ordered).toEqual(
    hex(
      "6f6320d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f",
      "8d0eec482b915703414461203ea7e0b19560d7c0b0f5734f63b95528",
      "6dfa8232b5ebe63324e2d9e7433f725803414462",
    ),
  );
  expect(intermediateSessionKey(inputs.sid, secretPoint, ordered)).toEqual(
    hex(
      "544199d71f62f8d9a1fee55727e24fe4a45844593c2b6013c4fa3969",
      "d0e5debb2244675c0b43397cbb68d342b01fc0f98fc961469a25134d",
      "e9f0f813c1a57476",
    ),
  );
});

// B.3.10 and B.3.11 use the same scalar.
const s = scalar("7cd0e075fa7955ba52c02759a6c90dbbfc10e6d40aea8d283e407d88", "cf538a05");

test("B.3.10: scalar_mult_vfy of a valid share", () => {
  const share = hex("2c3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d6", "54b4a51c");
  expect(multiplyAndVerify(s, share)).toEqual(
    hex("7c13645fe790a468f62c39beb7388e541d8405d1ade69d1778c5fe3e", "7f6b600e"),
  );
});

test.each([
  ["Y_i1", "2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"],
  ["Y_i2, the neutral element", "00".repeat(32)],
  ["a share that is too short", "2c3c6b8c"],
])("B.3.11: aborts on %s", (_, share) => {
  expect(() => multiplyAndVerify(s, hex(share))).toThrow(
    new WarrenError("handshake-failed", { reason: "identity-point" }),
  );
});

test("A.3.5: transcript_ir of other strings", () => {
  const of = (share: string, associatedData: string) => ({
    share: utf8(share),
    associatedData: utf8(associatedData),
  });
  expect(bytesToHex(transcript(of("123", "PartyA"), of("234", "PartyB")))).toBe(
    "03313233065061727479410332333406506172747942",
  );
  expect(bytesToHex(transcript(of("3456", "PartyA"), of("2345", "PartyB")))).toBe(
    "043334353606506172747941043233343506506172747942",
  );
});

test("samples scalars of at most 252 bits, never the same twice", () => {
  const scalars = Array.from({ length: 100 }, sampleScalar);
  expect(scalars.every((value) => value > 0n && value < 1n << 252n)).toBe(true);
  expect(scalars.some((value) => value >= 1n << 248n)).toBe(true);
  expect(new Set(scalars).size).toBe(100);
});
