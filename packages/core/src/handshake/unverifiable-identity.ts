import { p256 } from "@noble/curves/nist.js";
import type { ClientId } from "@warren/protocol";
import { randomClientId } from "./client-id.ts";
import type { Identity } from "./identity.ts";

/**
 * The identity of a page without `crypto.subtle`: a client id nobody can prove and a key that lives as long as the page.
 * Its signatures keep the messages alike; with no public key sent, nobody can check them.
 */
export function unverifiableIdentity(clientId: ClientId = randomClientId()): Identity {
  const { secretKey } = p256.keygen();
  return {
    clientId,
    publicKey: new Uint8Array(0),
    verifiable: false,
    sign: async (data) => p256.sign(data, secretKey),
  };
}
