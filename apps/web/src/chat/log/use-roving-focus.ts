import type { ChatMessage, MessageKey } from "@warren/core";
import { type FocusEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";

/** The focus within a log: one message is in the tab order, and stays rendered. */
interface RovingFocus {
  /** -1 if no message has the focus. */
  readonly index: number;
  readonly tabStopIndex: number;
  /** Focuses a message once it is rendered. */
  moveTo(key: MessageKey): void;
  onFocus(event: FocusEvent<HTMLElement>): void;
}

/** @param box around the messages, which have their key as `data-key`. */
export function useRovingFocus(
  messages: readonly ChatMessage[],
  box: RefObject<HTMLElement | null>,
): RovingFocus {
  const [focusedKey, setFocusedKey] = useState<string>();
  const index = useMemo(
    () => (focusedKey === undefined ? -1 : messages.findLastIndex(({ key }) => key === focusedKey)),
    [messages, focusedKey],
  );
  const awaited = useRef<MessageKey>(null);
  useLayoutEffect(() => {
    if (awaited.current === null) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(awaited.current)}"]`);
    if (!row) return;
    awaited.current = null;
    row.focus({ preventScroll: true });
  });
  return {
    index,
    tabStopIndex: index === -1 ? messages.length - 1 : index,
    moveTo(key) {
      awaited.current = key;
      setFocusedKey(key);
    },
    onFocus: ({ target }) => setFocusedKey(target.closest("article")?.dataset.key),
  };
}
