import {
  type ChatMessage,
  type Conversation,
  type ConversationId,
  type Gap,
  loadedMessages,
} from "@warren/core";
import { useMemo, useRef } from "react";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";

const emptyConversation: Conversation = { messages: [], unread: 0 };

/** A gap of a conversation: before the message of this index. */
export interface GapRow extends Gap {
  readonly index: number;
}

/** A conversation, its loaded messages, and its gaps, whose messages are only in storage. */
export interface LoadedMessages {
  readonly conversation: Conversation;
  readonly messages: readonly ChatMessage[];
  readonly gaps: readonly GapRow[];
  /** Loads the messages next to a position; only one load per position at a time. */
  loadAround(sortedAt: number): void;
}

export function useLoadedMessages(conversationId: ConversationId): LoadedMessages {
  const { chat } = useWarren();
  const conversation =
    useStore(chat.store, (state) => state.conversations[conversationId]) ?? emptyConversation;
  const loading = useRef(new Set<number>());
  const loadAround = (sortedAt: number): void => {
    if (loading.current.has(sortedAt)) return;
    loading.current.add(sortedAt);
    void withErrorToast(() => chat.loadAround(conversationId, sortedAt)).finally(() =>
      loading.current.delete(sortedAt),
    );
  };
  const loaded = useMemo(() => {
    const messages = loadedMessages(conversation);
    const indexOf = ({ before }: Gap) => messages.filter(({ sortedAt }) => sortedAt < before).length;
    const gaps = (conversation.gaps ?? []).map((gap) => ({ ...gap, index: indexOf(gap) }));
    return { conversation, messages, gaps };
  }, [conversation]);
  return { ...loaded, loadAround };
}
