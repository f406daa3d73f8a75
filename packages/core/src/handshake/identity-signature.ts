import { p256 } from "@noble/curves/nist.js";
import { equalBytes } from "@noble/curves/utils.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { publicKeyBytes } from "./identity.ts";

/** What every SPKI of an uncompressed P-256 point starts with: the algorithm, the curve, the bit string's head. */
const spkiHead = hexToBytes("3059301306072a8648ce3d020106082a8648ce3d030107034200");

/** Whether the private half of `publicKey` signed `data`. False for anything malformed. */
export function verifyIdentitySignature(
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const head = publicKey.subarray(0, spkiHead.length);
  if (publicKey.length !== publicKeyBytes || !equalBytes(head, spkiHead)) return false;
  try {
    // WebCrypto does not normalise s, so half of its signatures have a high one.
    return p256.verify(signature, data, publicKey.subarray(spkiHead.length), { lowS: false });
  } catch {
    return false;
  }
}
