import { type FileMessage, isOpen, type MessageKey } from "@warren/core";

/**
 * The offer to everyone for which a message passes its file on to us while its author does not give it: until that ends, the message
 * stands for the offer. Null for any other message.
 */
export function givenOfferOf({ original, client, offers }: FileMessage): MessageKey | null {
  return original !== undefined && isOpen(offers[client]?.state) ? original : null;
}
