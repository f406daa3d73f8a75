import type { ChatMessage } from "@warren/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTab } from "../../tab/tab-context.ts";
import type { Selection } from "../../ui/hooks/use-selection.ts";
import { indexAfterKey } from "../../ui/index-after-key.ts";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import { useProfile } from "../../wiring/warren-context.ts";
import { canEdit, canReply } from "../message/message-rules.ts";
import type { LoadedMessages } from "./use-loaded-messages.ts";

/** Where the focus of the log is, and what moves it. */
interface LogFocus {
  /** -1 if no message has the focus. */
  readonly index: number;
  moveTo(index: number): void;
}

/** Returns the handler of the log's keys: they move from message to message, and act on the focused one. */
export function useLogKeys(
  { messages, gaps, loadAround }: LoadedMessages,
  focus: LogFocus,
  selection: Selection<ChatMessage>,
): (event: KeyboardEvent) => void {
  const { drafts } = useTab();
  const { clientId: selfId } = useProfile();
  const isStartLoaded = gaps[0]?.index !== 0;
  /** Set if Home was pressed while the first message was not loaded yet. */
  const wantsStart = useRef(false);
  useEffect(() => {
    if (!wantsStart.current || !isStartLoaded) return;
    wantsStart.current = false;
    focus.moveTo(0);
  });

  const act = (event: KeyboardEvent, focused: ChatMessage): boolean => {
    const { nativeEvent, shiftKey } = event;
    const { conversation, key } = focused;
    const isToggled = selection.items.length > 0 && isShortcut(nativeEvent, "toggleMessage");
    if (isShortcut(nativeEvent, "reply") && canReply(focused)) drafts.replyTo(conversation, key);
    else if (isShortcut(nativeEvent, "edit") && canEdit(focused, selfId))
      drafts.edit(conversation, key, focused.data);
    else if (!isToggled && !isShortcut(nativeEvent, "selectMessage")) return false;
    else if (shiftKey) selection.extendTo(key, messages);
    else selection.toggle(key);
    return true;
  };

  const move = (event: KeyboardEvent, focused: ChatMessage | undefined): boolean => {
    const index = indexAfterKey(event.key, focus.index, messages.length - 1);
    const target = messages[index ?? -1];
    if (index === null || target === undefined) return false;
    const isStep = event.key.startsWith("Arrow");
    // The messages in the gap are being loaded.
    if (isStep && gaps.some((gap) => gap.index === Math.max(index, focus.index))) return true;
    if (event.key === "Home" && !isStartLoaded) {
      wantsStart.current = true;
      loadAround(Number.NEGATIVE_INFINITY);
      return true;
    }
    if (isShortcut(event.nativeEvent, "extendMessages") && focused !== undefined)
      selection.extendTo(target.key, messages, focused.key);
    focus.moveTo(index);
    return true;
  };

  return (event) => {
    if (!(event.target instanceof HTMLElement) || event.target.tagName !== "ARTICLE") return;
    const focused = messages[focus.index];
    if ((focused !== undefined && act(event, focused)) || move(event, focused)) event.preventDefault();
  };
}
