import type { ClientId } from "@warren/protocol";
import { randomClientId } from "./client-id.ts";
import type { Identity } from "./identity.ts";
import { loadPortableCrypto } from "./platform-crypto.ts";

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
