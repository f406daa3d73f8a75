import { type ChatMessage, type ConversationId, loadedMessages } from "@warren/core";
import { useMemo } from "react";
import { useStore, useWarren } from "../../components/warren-context.tsx";

const noMessages: readonly ChatMessage[] = [];

/** The messages of a conversation that are loaded, without gaps up to the latest. */
export function useLoadedMessages(conversationId: ConversationId): {
  readonly messages: readonly ChatMessage[];
  /** Whether there are earlier ones in storage. */
  readonly hasEarlier: boolean;
} {
  const { chat } = useWarren();
  const conversation = useStore(chat.store, (state) => state.conversations[conversationId]);
  return useMemo(
    () => ({
      messages: conversation === undefined ? noMessages : loadedMessages(conversation),
      hasEarlier: conversation?.loadedFrom !== undefined,
    }),
    [conversation],
  );
}
