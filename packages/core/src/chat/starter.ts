import type { ClientId } from "@warren/protocol";

/**
 * The contact that welcomes a newcomer. No key has this id, and the contact counts as proven: whoever claims the id
 * is refused as somebody else.
 */
export const starterId: ClientId = "57a27e20-0000-4000-8000-000000000000";

/** Whether a conversation is the welcome, where nobody reads what is written. */
export function isStarter(id: string): boolean {
  return id === starterId;
}
