import {
  type ChatMessage,
  type Conversation,
  type ConversationId,
  type Gap,
  loadedMessages,
} from "@warren/core";
import { useMemo } from "react";
import { useStore, useWarren } from "../ui/warren-context.tsx";

const nothing: Conversation = { messages: [], unread: 0 };

/** A gap of a conversation as the log meets it: before the message of this index. */
export interface GapRow extends Gap {
  readonly index: number;
}

/** The messages of a conversation that are loaded, and where others are still in storage alone. */
export function useLoadedMessages(conversationId: ConversationId): {
  readonly messages: readonly ChatMessage[];
  readonly gaps: readonly GapRow[];
} {
  const { chat } = useWarren();
  const conversation = useStore(chat.store, (state) => state.conversations[conversationId]) ?? nothing;
  return useMemo(() => {
    const messages = loadedMessages(conversation);
    const indexOf = ({ before }: Gap) => messages.filter(({ sortedAt }) => sortedAt < before).length;
    return { messages, gaps: (conversation.gaps ?? []).map((gap) => ({ ...gap, index: indexOf(gap) })) };
  }, [conversation]);
}
