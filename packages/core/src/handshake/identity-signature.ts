import { equalBytes } from "@noble/curves/utils.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { publicKeyBytes, signatureBytes } from "./identity.ts";

/** The prefix of every SPKI of an uncompressed P-256 point: the algorithm, the curve, the head of the bit string. */
const spkiHead = hexToBytes("3059301306072a8648ce3d020106082a8648ce3d030107034200");

/** The curve arithmetic, for pages without a secure context: all others use WebCrypto. */
export async function loadP256() {
  return (await import("@noble/curves/nist.js")).p256;
}

/** Whether the private half of `publicKey` signed `data`. False for anything malformed. */
export async function verifyIdentitySignature(
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const head = publicKey.subarray(0, spkiHead.length);
  if (publicKey.length !== publicKeyBytes || !equalBytes(head, spkiHead)) return false;
  if (signature.length !== signatureBytes) return false;
  // The types always declare `subtle`, but insecure contexts lack it.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  try {
    if (subtle === undefined) {
      const p256 = await loadP256();
      // WebCrypto does not normalize s, so half of its signatures have a high one.
      return p256.verify(signature, data, publicKey.subarray(spkiHead.length), { lowS: false });
    }
    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const key = await subtle.importKey("spki", new Uint8Array(publicKey), algorithm, false, ["verify"]);
    return await subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(data));
  } catch {
    return false;
  }
}
