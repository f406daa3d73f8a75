import { type ChatMessage, type ConversationId, everyone } from "@warren/core";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { presenceBetween } from "../../tab/presence.ts";
import { useTab } from "../../tab/tab-context.ts";
import { cx } from "../../ui/cx.ts";
import { HighlightContext } from "../../ui/highlighted.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { ReceiveIcon, SendIcon } from "../../ui/icons.ts";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import { useRun } from "../../wiring/use-run.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { canChange, canReply } from "../message/message-subject.ts";
import { useDeleteMessages } from "../message/use-delete-messages.ts";
import { logRow } from "./log-rows.ts";
import { MessageRow } from "./message-row.tsx";
import type { MessageSearch } from "./message-search.tsx";
import { PresenceLine } from "./presence-line.tsx";
import { useLoadedMessages } from "./use-loaded-messages.ts";
import type { SelectedMessages } from "./use-selected-messages.ts";
import type { UnreadMark } from "./use-unread-mark.ts";
import { useVirtualLog } from "./use-virtual-log.ts";

/** How long a message stands out that was jumped to. */
const jumpedToMs = 2_000;

interface MessageLogProps {
  readonly conversationId: ConversationId;
  /** The partner's name, used for the log's accessible name. */
  readonly label: string;
  /** The messages that were new when the conversation was opened. */
  readonly unread: UnreadMark | null;
  /** The highlighted words and the current match, which is scrolled into view. */
  readonly search: Pick<MessageSearch, "foldedQuery" | "currentIndex">;
  readonly selected: SelectedMessages;
}

/** The messages of a conversation, latest at the end. Needs a key per conversation. */
export function MessageLog({ conversationId, label, unread, search, selected }: MessageLogProps) {
  const t = useT();
  const { clientId: selfId } = useProfile();
  const { messages, gaps } = useLoadedMessages(conversationId);
  const { chat } = useWarren();
  const run = useRun();
  const loadAround = useLoadAround(conversationId);
  const [focusedKey, setFocusedKey] = useState<string>();
  const focusedIndex = useMemo(
    () => (focusedKey === undefined ? -1 : messages.findLastIndex(({ key }) => key === focusedKey)),
    [messages, focusedKey],
  );
  const tabStopIndex = focusedIndex === -1 ? messages.length - 1 : focusedIndex;
  const firstNewIndex = unread === null ? -1 : messages.findLastIndex(({ key }) => key === unread.firstKey);
  /** Whether the reader has jumped over the new messages. */
  const [hasSkipped, setSkipped] = useState(false);
  const { box, rows, heightPx, isAtEnd, newBelow, measureRow, onScroll, toEnd, toMessage } = useVirtualLog({
    messages,
    selfId,
    firstNewIndex,
    pinnedIndex: tabStopIndex,
    foundIndex: search.currentIndex,
    gaps,
    onNearGap: loadAround,
  });
  const { foldedQuery, currentIndex } = search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only when another match is selected
  useEffect(() => {
    if (currentIndex !== null) toMessage(currentIndex, "center");
  }, [currentIndex, foldedQuery]);
  /** A row to focus once it is rendered. */
  const awaited = useRef<string>(null);
  const { drafts, presence: presenceOfTab, soughtMessage } = useTab();
  const shownKey = useStore(soughtMessage);
  const [jumpedTo, setJumpedTo] = useState<string | null>(null);
  useEffect(() => {
    if (jumpedTo === null) return;
    const timer = setTimeout(() => setJumpedTo(null), jumpedToMs);
    return () => clearTimeout(timer);
  }, [jumpedTo]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per request
  useEffect(() => {
    if (shownKey === null) return;
    const index = messages.findLastIndex(({ key }) => key === shownKey);
    if (index === -1) {
      // It may lie in a gap; the log of another conversation does not show it.
      const load = async (): Promise<void> => {
        const shown = await chat.lookUp(shownKey);
        if (shown === null) soughtMessage.setState(null);
        else if (shown.conversation === conversationId) loadAround(shown.sortedAt);
      };
      void run(load);
      return;
    }
    soughtMessage.setState(null);
    awaited.current = shownKey;
    setFocusedKey(shownKey);
    setJumpedTo(shownKey);
    toMessage(index, "center");
  }, [shownKey, messages]);
  const presence = useStore(presenceOfTab.store);
  /** The line of those who came and went before the message of an index, or after the last one. */
  const presenceAt = (index: number): ReactNode => {
    if (conversationId !== everyone) return null;
    const [after, until] = [messages[index - 1]?.sortedAt, messages[index]?.sortedAt];
    const change = presenceBetween(presence, after ?? 0, until ?? Number.POSITIVE_INFINITY);
    return change !== null && <PresenceLine {...change} />;
  };
  const focusLog = useCallback(() => box.current?.focus(), [box]);
  const deleteMessages = useDeleteMessages(focusLog);
  const deleteMessage = useCallback((message: ChatMessage) => deleteMessages([message]), [deleteMessages]);

  useLayoutEffect(() => {
    if (awaited.current === null) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(awaited.current)}"]`);
    if (!row) return;
    awaited.current = null;
    row.focus({ preventScroll: true });
  });

  const focusMessage = (index: number): void => {
    const message = messages[index];
    if (message === undefined) return;
    awaited.current = message.key;
    setFocusedKey(message.key);
    toMessage(index, "nearest");
  };

  const isStartLoaded = gaps[0]?.index !== 0;
  /** Set if Home was pressed while the first message was not loaded yet. */
  const wantsStart = useRef(false);
  useEffect(() => {
    if (!wantsStart.current || !isStartLoaded) return;
    wantsStart.current = false;
    focusMessage(0);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!(event.target instanceof HTMLElement) || event.target.tagName !== "ARTICLE") return;
    const focused = messages[focusedIndex];
    if (isShortcut(event.nativeEvent, "reply") && focused !== undefined && canReply(focused)) {
      event.preventDefault();
      drafts.replyTo(conversationId, focused.key);
      return;
    }
    if (isShortcut(event.nativeEvent, "edit") && focused !== undefined && canChange(focused, selfId)) {
      event.preventDefault();
      drafts.edit(conversationId, focused.key, focused.data);
      return;
    }
    const isToggled = selected.messages.length > 0 && isShortcut(event.nativeEvent, "toggleMessage");
    if ((isToggled || isShortcut(event.nativeEvent, "selectMessage")) && focused !== undefined) {
      event.preventDefault();
      selected.toggle(focused.key, event.shiftKey);
      return;
    }
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: focusedIndex - 1,
      ArrowDown: focusedIndex + 1,
      Home: 0,
      End: messages.length - 1,
    };
    const index = moves[event.key];
    const target = messages[index ?? -1];
    if (index === undefined || target === undefined) return;
    event.preventDefault();
    const isStep = event.key.startsWith("Arrow");
    // The messages in the gap are being loaded.
    if (isStep && gaps.some((gap) => gap.index === Math.max(index, focusedIndex))) return;
    if (event.key === "Home" && !isStartLoaded) {
      wantsStart.current = true;
      loadAround(Number.NEGATIVE_INFINITY);
    } else {
      if (isShortcut(event.nativeEvent, "extendMessages") && focused !== undefined)
        selected.extend(focused.key, target.key);
      focusMessage(index);
    }
  };

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        aria-label={label}
        // The announcer tells of new messages; a live log would read whole cards, and each of their states.
        aria-live="off"
        tabIndex={-1}
        // The log keeps the scroll position itself.
        className="h-full overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => setFocusedKey(target.closest("article")?.dataset.key)}
      >
        <div style={{ height: heightPx }} className="relative mx-auto max-w-[792px]">
          <HighlightContext value={foldedQuery}>
            {rows.map(({ index, key, start }) => {
              const row = logRow(messages, index, selfId, unread);
              if (row === null) return null;
              const { day, newCount, ...message } = row;
              return (
                <div
                  key={String(key)}
                  ref={measureRow}
                  data-index={index}
                  style={{ top: start }}
                  className="absolute inset-x-0 flow-root px-4 max-md:px-3.5"
                >
                  {gaps.some((gap) => gap.index === index && index > 0) && (
                    <Separator>{t("conversation.gap")}</Separator>
                  )}
                  {presenceAt(index)}
                  {day !== null && <DaySeparator time={day} isFirst={index === 0} />}
                  {newCount !== null && (
                    <Separator isAccent>{t("conversation.new", { count: newCount })}</Separator>
                  )}
                  <MessageRow
                    {...message}
                    isFound={index === currentIndex || message.message.key === jumpedTo}
                    position={index + 1}
                    isRoom={conversationId === everyone}
                    isTabStop={index === tabStopIndex}
                    isSelecting={selected.messages.length > 0}
                    isSelected={selected.keys.has(message.message.key)}
                    onSelect={selected.toggle}
                    onDelete={deleteMessage}
                  />
                  {index === messages.length - 1 && presenceAt(messages.length)}
                </div>
              );
            })}
          </HighlightContext>
        </div>
      </div>
      {!isAtEnd && (
        <JumpButton
          count={newBelow}
          onClick={() => {
            toEnd();
            setSkipped(firstNewIndex !== -1);
          }}
        />
      )}
      {hasSkipped && isAtEnd && firstNewIndex !== -1 && (
        <JumpButton
          isUp
          count={messages.length - firstNewIndex}
          onClick={() => {
            setSkipped(false);
            focusMessage(firstNewIndex);
          }}
        />
      )}
    </div>
  );
}

/** Loads the messages next to a position of a conversation; only one load per position at a time. */
function useLoadAround(conversationId: ConversationId): (sortedAt: number) => void {
  const { chat } = useWarren();
  const run = useRun();
  const loading = useRef(new Set<number>());
  return useCallback(
    (sortedAt) => {
      if (loading.current.has(sortedAt)) return;
      loading.current.add(sortedAt);
      void run(() => chat.loadAround(conversationId, sortedAt)).finally(() =>
        loading.current.delete(sortedAt),
      );
    },
    [chat, run, conversationId],
  );
}

interface SeparatorProps {
  readonly isAccent?: boolean;
  readonly isFirst?: boolean;
  readonly children: ReactNode;
}

/** A label between two hairlines, above a message. */
function Separator({ isAccent = false, isFirst = false, children }: SeparatorProps) {
  return (
    <div
      className={cx(
        "on-picture mb-2.5 flex items-center gap-3 text-meta",
        isAccent ? "text-accent-text" : "text-text-3",
        isFirst ? "max-md:mb-4" : "mt-4",
      )}
    >
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      {children}
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  );
}

function DaySeparator({ time, isFirst }: { readonly time: number; readonly isFirst: boolean }) {
  const format = useFormat();
  const now = useNow();
  return <Separator isFirst={isFirst}>{format.day(time, now)}</Separator>;
}

interface JumpButtonProps {
  readonly count: number;
  /** Back to the first new message, instead of to the latest. */
  readonly isUp?: boolean;
  readonly onClick: () => void;
}

function JumpButton({ count, isUp = false, onClick }: JumpButtonProps) {
  const t = useT();
  const toLatest = count === 0 ? t("conversation.jumpToLatest") : t("conversation.newBelow", { count });
  const Arrow = isUp ? SendIcon : ReceiveIcon;
  return (
    <button
      type="button"
      aria-label={isUp ? t("conversation.jumpToNew") : toLatest}
      className={cx(
        "absolute right-0 left-0 z-header mx-auto flex h-9 w-fit min-w-9 animate-fade-in items-center justify-center gap-1.5 rounded-full bg-raised px-2.5 font-medium text-compact text-text-2 shadow-menu transition-colors hover:text-text touch:h-11 touch:min-w-11",
        isUp ? "top-3" : "bottom-3",
      )}
      onClick={onClick}
    >
      <Arrow size={16} />
      {count > 0 && <span className="pr-0.5">{t("conversation.new", { count })}</span>}
    </button>
  );
}
