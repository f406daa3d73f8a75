import { type FileMessage, isOpen, type MessageKey } from "@warren/core";

/**
 * The offer to everyone that a message stands in for: another member passes its file on to us because its author does not.
 * Null once that has ended, and for any other message.
 */
export function givenOfferOf({ original, client, offers }: FileMessage): MessageKey | null {
  return original !== undefined && isOpen(offers[client]?.state) ? original : null;
}
