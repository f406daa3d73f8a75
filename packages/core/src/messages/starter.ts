import type { ClientId } from "@warren/protocol";

/**
 * The contact of the welcome conversation. No key has this id and the contact counts as proven, so a client that claims
 * the id is refused as an impostor.
 */
export const starterId: ClientId = "57a27e20-0000-4000-8000-000000000000";

/** Whether a conversation is the welcome conversation, where nobody reads messages. */
export function isStarter(id: string): boolean {
  return id === starterId;
}
