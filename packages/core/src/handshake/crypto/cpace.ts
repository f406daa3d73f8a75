/**
 * CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21, the initiator-responder setting.
 * Section numbers below are the draft's. `K` stays inside: only the intermediate session key leaves (section 10.3).
 */
import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import { bytesToNumberLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, randomBytes } from "@noble/hashes/utils.js";
import { WarrenError } from "@warren/protocol";
import { handshakeError } from "../handshake-error.ts";
import { lv, lvCat, utf8 } from "./encoding.ts";

type Point = InstanceType<typeof ristretto255.Point>;

const suite = "CPaceRistretto255";
const hashBlockBytes = 128;

/** The size of a public share, in bytes. */
export const shareBytes = 32;

/** The inputs that both sides must agree on before a run. */
interface CpaceInputs {
  /** The password-related string; empty for none. */
  readonly prs: Uint8Array;
  /** The channel identifier: here the room and both client ids with their roles. */
  readonly ci: Uint8Array;
  readonly sid: Uint8Array;
}

/** A secret scalar and its public share, for one run only. */
export interface CpaceShare {
  readonly scalar: bigint;
  readonly bytes: Uint8Array;
}

/** A side's public share and the data it authenticates along with it. */
interface CpaceContribution {
  readonly share: Uint8Array;
  readonly associatedData: Uint8Array;
}

/** `generator_string` (section 8.1): the zeros make the first hash block independent of CI and sid. */
export function generatorString({ prs, ci, sid }: CpaceInputs): Uint8Array {
  const paddingBytes = Math.max(0, hashBlockBytes - 1 - lv(prs).length - lv(utf8(suite)).length);
  return lvCat(suite, prs, new Uint8Array(paddingBytes), ci, sid);
}

/** `calculate_generator` (section 8.3): a group element whose discrete logarithm nobody knows. */
export function calculateGenerator(inputs: CpaceInputs): Point {
  const point = ristretto255_hasher.deriveToCurve?.(sha512(generatorString(inputs)));
  if (point === undefined) throw new WarrenError("unknown");
  return point;
}

/** `sample_scalar` (section 8.3): 252 random bits; 0, which the group library refuses, is sampled again. */
export function sampleScalar(): bigint {
  for (;;) {
    const bytes = randomBytes(32);
    bytes[31] = (bytes[31] ?? 0) & 0x0f;
    const scalar = bytesToNumberLE(bytes);
    if (scalar !== 0n) return scalar;
  }
}

/** One side's share of a run. Only known-answer tests pass `scalar`. */
export function createShare(inputs: CpaceInputs, scalar: bigint = sampleScalar()): CpaceShare {
  return { scalar, bytes: calculateGenerator(inputs).multiply(scalar).toBytes() };
}

/**
 * `scalar_mult_vfy` (section 8.3) with the abort that section 7.2 demands.
 * @throws WarrenError `handshake-failed` with `identity-point` if the draft's function returns the neutral element.
 */
export function multiplyAndVerify(scalar: bigint, share: Uint8Array): Uint8Array {
  const point = decodePoint(share);
  // The group has prime order and the scalar is not 0, so only the neutral element leads to itself.
  if (point.is0()) throw handshakeError("identity-point");
  return point.multiply(scalar).toBytes();
}

/** `transcript_ir` (section 6.3). */
export function transcript(initiator: CpaceContribution, responder: CpaceContribution): Uint8Array {
  return lvCat(initiator.share, initiator.associatedData, responder.share, responder.associatedData);
}

/** `ISK` (section 7.2), 64 bytes. `runTranscript` is the result of {@link transcript}. */
export function intermediateSessionKey(
  sid: Uint8Array,
  secretPoint: Uint8Array,
  runTranscript: Uint8Array,
): Uint8Array {
  return sha512(concatBytes(lvCat(`${suite}_ISK`, sid, secretPoint), runTranscript));
}

function decodePoint(share: Uint8Array): Point {
  try {
    return ristretto255.Point.fromBytes(share);
  } catch (cause) {
    throw handshakeError("identity-point", cause);
  }
}
