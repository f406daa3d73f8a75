import type { ChatMessage, ConversationId, MessageKey } from "@warren/core";
import { useCallback, useMemo, useState } from "react";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";

/** The messages that are selected in a conversation. */
export interface SelectedMessages {
  /** In their order; none unless the person is selecting. */
  readonly messages: readonly ChatMessage[];
  readonly keys: ReadonlySet<MessageKey>;
  /** Selects a message or takes that back; as a range, all from the one before to it. */
  readonly toggle: (key: MessageKey, isRange: boolean) => void;
  /** Selects a message and the one next to it; back on one that is selected, takes back the one that was left. */
  readonly extend: (from: MessageKey, to: MessageKey) => void;
  readonly clear: () => void;
}

interface Choice {
  readonly keys: ReadonlySet<MessageKey>;
  /** Where a range begins. */
  readonly last: MessageKey | null;
}

const none: Choice = { keys: new Set(), last: null };
const nothing: readonly ChatMessage[] = [];

export function useSelectedMessages(conversationId: ConversationId): SelectedMessages {
  const { chat } = useWarren();
  const [{ keys }, setChoice] = useState(none);
  const all = useStore(chat.store, (state) => state.conversations[conversationId]?.messages) ?? nothing;
  // What was deleted meanwhile is not selected any more.
  const messages = useMemo(
    () => (keys.size === 0 ? nothing : all.filter(({ key }) => keys.has(key))),
    [all, keys],
  );
  const toggle = useCallback(
    (key: MessageKey, isRange: boolean) => {
      const order = (chat.store.getState().conversations[conversationId]?.messages ?? []).map(
        (message) => message.key,
      );
      setChoice((before) => {
        const ids = new Set(before.keys);
        const from = isRange && before.last !== null ? order.indexOf(before.last) : -1;
        const to = order.indexOf(key);
        if (from !== -1 && to !== -1)
          for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(each);
        else if (!ids.delete(key)) ids.add(key);
        return { keys: ids, last: key };
      });
    },
    [chat, conversationId],
  );
  const extend = useCallback((from: MessageKey, to: MessageKey) => {
    setChoice((before) => {
      const ids = new Set(before.keys).add(from).add(to);
      if (before.keys.has(from) && before.keys.has(to)) ids.delete(from);
      return { keys: ids, last: to };
    });
  }, []);
  const clear = useCallback(() => setChoice(none), []);
  return { messages, keys, toggle, extend, clear };
}
