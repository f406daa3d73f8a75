import type { ChatMessage, ChatState } from "@warren/core";

/** The messages added to a conversation's end between two states of the store. */
export function newMessages(before: ChatState, now: ChatState): readonly ChatMessage[] {
  // In another room, what was said there before is not told.
  if (!before.loaded || before.room !== now.room) return [];
  return Object.entries(now.conversations).flatMap(([id, conversation]) => {
    const known = before.conversations[id];
    if (conversation === undefined || conversation === known) return [];
    const lastKey = known?.messages.at(-1)?.key;
    const from = conversation.messages.findLastIndex((message) => message.key === lastKey) + 1;
    const isShorter = known !== undefined && conversation.messages.length <= known.messages.length;
    return isShorter ? [] : conversation.messages.slice(from);
  });
}

/** The messages that changed between two states of the store, as they were and as they are. */
export function changedMessages(
  before: ChatState,
  now: ChatState,
): readonly (readonly [ChatMessage, ChatMessage])[] {
  return Object.entries(now.conversations).flatMap(([id, conversation]) => {
    const known = before.conversations[id];
    if (conversation === undefined || known === undefined || conversation === known) return [];
    const { messages } = conversation;
    // Most often only new ones were added at the end.
    if (known.messages.every((message, index) => message === messages[index])) return [];
    const former = new Map(known.messages.map((message) => [message.key, message]));
    return messages.flatMap((message) => {
      const was = former.get(message.key);
      return was === undefined || was === message ? [] : [[was, message] as const];
    });
  });
}
