import { useStore, useWarren } from "../../ui/warren-context.tsx";

/** The number of unseen received messages over all conversations. */
export function useUnread(): number {
  return useStore(useWarren().chat.store, ({ conversations }) =>
    Object.values(conversations).reduce((sum, conversation) => sum + (conversation?.unread ?? 0), 0),
  );
}
