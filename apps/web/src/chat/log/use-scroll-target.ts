import type { ChatMessage, ConversationId, MessageKey } from "@warren/core";
import { useEffect, useState } from "react";
import { useTab } from "../../tab/tab-context.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";

/** How long a message stands out that was jumped to. */
const jumpedToMs = 2_000;

interface ScrollTargetInput {
  readonly conversationId: ConversationId;
  readonly messages: readonly ChatMessage[];
  readonly loadAround: (sortedAt: number) => void;
  readonly onFound: (index: number) => void;
}

/**
 * Finds the message that the tab scrolls to next, and loads it first if it lies in a gap.
 * @returns the one found last, as long as it stands out
 */
export function useScrollTarget({
  conversationId,
  messages,
  loadAround,
  onFound,
}: ScrollTargetInput): MessageKey | null {
  const { chat } = useWarren();
  const { openLog } = useTab();
  const targetKey = useStore(openLog.scrollTarget);
  const [jumpedTo, setJumpedTo] = useState<MessageKey | null>(null);
  useEffect(() => {
    if (jumpedTo === null) return;
    const timer = setTimeout(() => setJumpedTo(null), jumpedToMs);
    return () => clearTimeout(timer);
  }, [jumpedTo]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per request
  useEffect(() => {
    if (targetKey === null) return;
    const index = messages.findLastIndex(({ key }) => key === targetKey);
    if (index === -1) {
      // It may lie in a gap; the log of another conversation does not show it.
      const load = async (): Promise<void> => {
        const target = await chat.lookUp(targetKey);
        if (target === null) openLog.scrolled();
        else if (target.conversation === conversationId) loadAround(target.sortedAt);
      };
      void withErrorToast(load);
      return;
    }
    openLog.scrolled();
    setJumpedTo(targetKey);
    onFound(index);
  }, [targetKey, messages]);
  return jumpedTo;
}
