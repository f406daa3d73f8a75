import { type Conversation, type ConversationId, loadedMessages } from "@warren/core";
import { useEffect, useState } from "react";
import { useStore, useWarren } from "../ui/warren-context.tsx";
import { type UnreadMark, unreadMark } from "./log-rows.ts";

/**
 * Reports to core that a conversation is open while the window is visible, and remembers which messages were
 * new when it was opened.
 */
export function useUnreadMark(conversationId: ConversationId, selfId: string): UnreadMark | null {
  const { chat } = useWarren();
  const readMark = (): UnreadMark | null => {
    const conversation = chat.store.getState().conversations[conversationId];
    return conversation === undefined ? null : markOf(conversation, selfId);
  };
  const isLoaded = useStore(chat.store, (state) => state.loaded);
  // Read before the conversation counts as open, which resets the count to 0.
  const [mark, setMark] = useState(readMark);

  useEffect(() => {
    if (!isLoaded) return; // unread messages are unknown before
    const listening = new AbortController();
    const follow = (): void => {
      if (document.visibilityState === "hidden") {
        chat.open(null);
        return;
      }
      const conversation = chat.store.getState().conversations[conversationId];
      if (conversation !== undefined && conversation.unread > 0) {
        setMark(markOf(conversation, selfId));
      }
      chat.open(conversationId);
    };
    follow();
    document.addEventListener("visibilitychange", follow, { signal: listening.signal });
    return () => {
      listening.abort();
      chat.open(null);
    };
  }, [chat, conversationId, selfId, isLoaded]);
  return mark;
}

function markOf(conversation: Conversation, selfId: string): UnreadMark | null {
  return unreadMark(loadedMessages(conversation), selfId, conversation.unread);
}
