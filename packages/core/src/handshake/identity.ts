import { type ClientId, clientIdInput, formatClientId } from "@warren/protocol";

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
