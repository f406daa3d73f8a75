import { equalBytes } from "@noble/curves/utils.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { loadPortableCrypto, platformCrypto } from "./crypto/platform-crypto.ts";
import { publicKeyBytes, signatureBytes } from "./identity.ts";

/** The prefix of every SPKI of an uncompressed P-256 point: the algorithm, the curve, the head of the bit string. */
const spkiHead = hexToBytes("3059301306072a8648ce3d020106082a8648ce3d030107034200");

/** Public keys as the platform wants them, the last so many: importing one takes as long as verifying a signature. */
export class ImportedKeys {
  readonly #capacity: number;
  readonly #keys = new Map<string, Promise<CryptoKey>>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  import(subtle: Pick<SubtleCrypto, "importKey">, publicKey: Uint8Array): Promise<CryptoKey> {
    const name = bytesToHex(publicKey);
    const imported =
      this.#keys.get(name) ??
      subtle.importKey("spki", new Uint8Array(publicKey), algorithm, false, ["verify"]);
    this.#keys.delete(name);
    this.#keys.set(name, imported);
    for (const oldest of this.#keys.keys()) {
      if (this.#keys.size <= this.#capacity) break;
      this.#keys.delete(oldest);
    }
    return imported;
  }
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * Whether the private key of `publicKey` signed `data`. False for anything malformed. Rejects if the code that verifies it
 * cannot be fetched.
 */
export async function verifyIdentitySignature(
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
  keys = new ImportedKeys(1),
): Promise<boolean> {
  const head = publicKey.subarray(0, spkiHead.length);
  if (publicKey.length !== publicKeyBytes || !equalBytes(head, spkiHead)) return false;
  if (signature.length !== signatureBytes) return false;
  const crypto = platformCrypto() ?? (await loadPortableCrypto());
  try {
    // WebCrypto does not normalize s, so half of its signatures have a high one.
    if ("p256" in crypto)
      return crypto.p256.verify(signature, data, publicKey.subarray(spkiHead.length), { lowS: false });
    const key = await keys.import(crypto, publicKey);
    return await crypto.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(data));
  } catch {
    return false;
  }
}
