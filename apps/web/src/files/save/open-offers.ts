import type { ChatMessage, FileMessage } from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import { outcomeOf } from "../../file-state/file-state.ts";
import { useOption, useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";

/** The pending offers of others within the size limit; larger ones are decided one by one. */
export function openOffers(
  messages: readonly ChatMessage[],
  selfId: ClientId,
  limitBytes: number,
): readonly FileMessage[] {
  return messages.filter(
    (message): message is FileMessage =>
      message.type === "file" &&
      message.client !== selfId &&
      outcomeOf(message.offers[message.client], false) === "waiting" &&
      contentSizeOf(message.file) <= limitBytes,
  );
}

/** How many files offers stand for: a folder, or several files chosen at once, are one offer of many. */
export function countFiles(offers: readonly FileMessage[]): number {
  return offers.reduce((sum, { file }) => sum + (file.tree?.files ?? 1), 0);
}

/** Whether an offer is one of several in its conversation, which can be accepted all at once. */
export function useIsOneOfMany({ conversation, offers, client }: FileMessage): boolean {
  const { chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const limitBytes = useOption("maxFileSize");
  // Most files of a conversation are no offers any more, and do not search it.
  const isOffer = outcomeOf(offers[client], false) === "waiting";
  return useStore(
    chat.store,
    ({ conversations }) =>
      isOffer && openOffers(conversations[conversation]?.messages ?? [], selfId, limitBytes).length > 1,
  );
}
