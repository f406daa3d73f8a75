import {
  type ChatMessage,
  type Conversation,
  type ConversationId,
  type Gap,
  loadedMessages,
} from "@warren/core";
import { useMemo } from "react";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";

const nothing: Conversation = { messages: [], unread: 0 };

/** A gap of a conversation: before the message of this index. */
export interface GapRow extends Gap {
  readonly index: number;
}

/** A conversation, its loaded messages, and its gaps, whose messages are only in storage. */
export function useLoadedMessages(conversationId: ConversationId): {
  readonly conversation: Conversation;
  readonly messages: readonly ChatMessage[];
  readonly gaps: readonly GapRow[];
} {
  const { chat } = useWarren();
  const conversation = useStore(chat.store, (state) => state.conversations[conversationId]) ?? nothing;
  return useMemo(() => {
    const messages = loadedMessages(conversation);
    const indexOf = ({ before }: Gap) => messages.filter(({ sortedAt }) => sortedAt < before).length;
    const gaps = (conversation.gaps ?? []).map((gap) => ({ ...gap, index: indexOf(gap) }));
    return { conversation, messages, gaps };
  }, [conversation]);
}
