import { randomBytes } from "@noble/hashes/utils.js";
import { type ClientId, formatClientId } from "@warren/protocol";

export { clientIdOf } from "@warren/protocol/key-proof";

/** A client id without a key. `crypto.randomUUID` is missing outside secure contexts. */
export function randomClientId(): ClientId {
  return formatClientId(randomBytes(16));
}
