import { randomBytes } from "@noble/hashes/utils.js";
import { type ClientId, clientIdInput, formatClientId } from "@warren/protocol";
import { loadPortableCrypto } from "./crypto/platform-crypto.ts";

export { clientIdOf } from "@warren/protocol/key-proof";

/** A client's identity towards its peers. */
export interface Identity {
  readonly clientId: ClientId;
  /** SubjectPublicKeyInfo of an ECDSA P-256 key, 91 bytes; empty for a client id without a key. */
  readonly publicKey: Uint8Array;
  /** Whether peers can check the client id against the key. Always false with an empty key. */
  readonly verifiable: boolean;
  /** @returns r ‖ s (IEEE P1363, 64 bytes) of ECDSA P-256 over SHA-256 of `data`. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** The size of a non-empty {@link Identity.publicKey}. */
export const publicKeyBytes = 91;

/** The size of a signature. */
export const signatureBytes = 64;

const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" } as const;

/** A new identity key with a private half that cannot leave the browser; IndexedDB can store the pair as it is. */
export async function generateIdentityKey(subtle: SubtleCrypto): Promise<CryptoKeyPair> {
  return subtle.generateKey(keyAlgorithm, false, ["sign", "verify"]);
}

/** The identity of a key pair, new or loaded from storage. */
export async function identityOf(keyPair: CryptoKeyPair, subtle: SubtleCrypto): Promise<Identity> {
  const publicKey = new Uint8Array(await subtle.exportKey("spki", keyPair.publicKey));
  const digest = await subtle.digest("SHA-256", clientIdInput(publicKey));
  return {
    clientId: formatClientId(new Uint8Array(digest)),
    publicKey,
    verifiable: true,
    sign: async (data) => {
      const algorithm = { name: "ECDSA", hash: "SHA-256" };
      return new Uint8Array(await subtle.sign(algorithm, keyPair.privateKey, new Uint8Array(data)));
    },
  };
}

/**
 * The identity of a page without `crypto.subtle`: an unprovable client id and a key that lives as long as the page.
 * Its signatures only keep the message format uniform; without a public key nobody can check them.
 */
export async function unverifiableIdentity(clientId: ClientId = randomClientId()): Promise<Identity> {
  const { p256 } = await loadPortableCrypto();
  const { secretKey } = p256.keygen();
  return {
    clientId,
    publicKey: new Uint8Array(0),
    verifiable: false,
    sign: async (data) => p256.sign(data, secretKey),
  };
}

/** A client id without a key. `crypto.randomUUID` is missing outside secure contexts. */
export function randomClientId(): ClientId {
  return formatClientId(randomBytes(16));
}
