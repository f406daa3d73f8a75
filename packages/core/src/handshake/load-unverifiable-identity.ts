import type { ClientId } from "@warren/protocol";
import type { Identity } from "./identity.ts";

/** As {@link unverifiableIdentity}, whose curve arithmetic is fetched only where a page has no secure context. */
export async function loadUnverifiableIdentity(clientId?: ClientId): Promise<Identity> {
  const { unverifiableIdentity } = await import("./unverifiable-identity.ts");
  return unverifiableIdentity(clientId);
}
