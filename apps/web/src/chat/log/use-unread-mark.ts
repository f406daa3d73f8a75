import { type Conversation, type ConversationId, loadedMessages, type MessageKey } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useStore, useWarren } from "../../wiring/warren-context.ts";

/** The messages that were new when the conversation was opened. */
export interface UnreadMark {
  readonly firstKey: MessageKey;
  readonly count: number;
}

/**
 * Reports to core that a conversation is open while the window is visible, and remembers which messages were
 * new when it was opened.
 */
export function useUnreadMark(conversationId: ConversationId, selfId: ClientId): UnreadMark | null {
  const { chat } = useWarren();
  const readMark = (): UnreadMark | null => {
    const conversation = chat.store.getState().conversations[conversationId];
    return conversation === undefined ? null : unreadMark(conversation, selfId);
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
        setMark(unreadMark(conversation, selfId));
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

/** The start of the unread messages of a conversation, which are the last received ones; null if there are none. */
function unreadMark(conversation: Conversation, selfId: ClientId): UnreadMark | null {
  const messages = loadedMessages(conversation);
  let left = conversation.unread;
  let firstKey: MessageKey | null = null;
  for (let i = messages.length - 1; i >= 0 && left > 0; i--) {
    const message = messages[i];
    if (message === undefined || message.client === selfId) continue;
    firstKey = message.key;
    left--;
  }
  return firstKey === null ? null : { firstKey, count: conversation.unread - left };
}
