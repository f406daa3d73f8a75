import { type ChatMessage, type ConversationId, everyone, type MessageKey } from "@warren/core";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { presenceBetween } from "../../tab/presence.ts";
import { useTab } from "../../tab/tab-context.ts";
import { cx } from "../../ui/cx.ts";
import { useNow } from "../../ui/hooks/use-now.ts";
import type { Selection } from "../../ui/hooks/use-selection.ts";
import { useStableCallback } from "../../ui/hooks/use-stable-callback.ts";
import { ReceiveIcon, SendIcon } from "../../ui/icons.ts";
import { HighlightContext, noWords } from "../../ui/text/highlighted.tsx";
import { useProfile, useStore } from "../../wiring/warren-context.ts";
import { useDeleteMessages } from "../message/actions/use-delete-messages.ts";
import { logRow } from "./log-rows.ts";
import { MessageRow } from "./message-row.tsx";
import { OffersLine } from "./offers-line.tsx";
import { PresenceLine } from "./presence-line.tsx";
import { useLoadedMessages } from "./use-loaded-messages.ts";
import { useLogKeys } from "./use-log-keys.ts";
import type { MessageSearchState } from "./use-message-search.ts";
import { useRovingFocus } from "./use-roving-focus.ts";
import { useScrollTarget } from "./use-scroll-target.ts";
import type { UnreadMark } from "./use-unread-mark.ts";
import { useVirtualLog } from "./use-virtual-log.ts";

interface MessageLogProps {
  readonly conversationId: ConversationId;
  /** The partner's name, used for the log's accessible name. */
  readonly label: string;
  /** The messages that were new when the conversation was opened. */
  readonly unread: UnreadMark | null;
  /** The highlighted words and the current match, which is scrolled into view. */
  readonly search: Pick<MessageSearchState, "words" | "matches" | "currentIndex">;
  readonly selection: Selection<ChatMessage>;
}

/** The messages of a conversation, latest at the end. Needs a key per conversation. */
export function MessageLog({ conversationId, label, unread, search, selection }: MessageLogProps) {
  const t = useT();
  const { clientId: selfId } = useProfile();
  const loaded = useLoadedMessages(conversationId);
  const { messages, gaps, loadAround } = loaded;
  const box = useRef<HTMLDivElement>(null);
  /** As high as the banners over the log: its first message is scrolled from under them. */
  const belowBanners = useRef<HTMLDivElement>(null);
  const focus = useRovingFocus(messages, box);
  const firstNewIndex = unread === null ? -1 : messages.findLastIndex(({ key }) => key === unread.firstKey);
  /** Whether the reader has jumped over the new messages. */
  const [hasSkipped, setSkipped] = useState(false);
  const { rows, heightPx, isAtEnd, newBelow, measureRow, onScroll, toEnd, toMessage } = useVirtualLog({
    box,
    belowBanners,
    messages,
    selfId,
    firstNewIndex,
    pinnedIndex: focus.tabStopIndex,
    foundIndex: search.currentIndex,
    gaps,
    onNearGap: loadAround,
  });
  const { words, matches, currentIndex } = search;
  const foundKeys = useMemo(() => new Set(matches.map(({ key }) => key)), [matches]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only when another match is selected
  useEffect(() => {
    if (currentIndex !== null) toMessage(currentIndex, "center");
  }, [currentIndex, words]);
  const focusMessage = (index: number, align: "nearest" | "center" = "nearest"): void => {
    const message = messages[index];
    if (message === undefined) return;
    focus.moveTo(message.key);
    toMessage(index, align);
  };
  const jumpedTo = useScrollTarget({
    conversationId,
    messages,
    loadAround,
    onFound: (index) => focusMessage(index, "center"),
  });
  const { presence: presenceOfTab } = useTab();
  const presence = useStore(presenceOfTab.store);
  /** The line of those who came and went before the message of an index, or after the last one. */
  const presenceAt = (index: number): ReactNode => {
    if (conversationId !== everyone) return null;
    const [after, until] = [messages[index - 1]?.sortedAt, messages[index]?.sortedAt];
    const change = presenceBetween(presence, after ?? 0, until ?? Number.POSITIVE_INFINITY);
    return change !== null && <PresenceLine {...change} />;
  };
  const deleteMessages = useDeleteMessages(() => box.current?.focus());
  const deleteMessage = useStableCallback((message: ChatMessage) => void deleteMessages([message]));

  const select = useStableCallback((key: MessageKey, isRange: boolean) =>
    isRange ? selection.extendTo(key, messages) : selection.toggle(key),
  );
  const onKeyDown = useLogKeys(loaded, { index: focus.index, moveTo: focusMessage }, selection);

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
        // A short conversation stands on the composer, beside what is written next: what comes over its top moves nothing.
        className="flex h-full flex-col overflow-y-auto overflow-x-hidden overscroll-contain outline-none [overflow-anchor:none]"
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onFocus={focus.onFocus}
      >
        <div
          ref={belowBanners}
          className="shrink-0 h-[calc(var(--banner-height,0px)+var(--connection-height,0px))]"
        />
        <div
          style={{ height: heightPx }}
          // Centered in the pane, as the composer is, and not in what a scrollbar leaves of it.
          className="relative mt-auto ml-[max(0px,calc(50cqw-396px))] w-[min(100cqw,792px)] shrink-0"
        >
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
                className="absolute inset-x-0 flow-root px-4"
              >
                {gaps.some((gap) => gap.index === index && index > 0) && (
                  <Separator>{t("conversation.gap")}</Separator>
                )}
                {day !== null && <DaySeparator time={day} newCount={newCount} isFirst={index === 0} />}
                {presenceAt(index)}
                {day === null && newCount !== null && (
                  <Separator isAccent>{t("conversation.new", { count: newCount })}</Separator>
                )}
                <HighlightContext value={foundKeys.has(message.message.key) ? words : noWords}>
                  <MessageRow
                    {...message}
                    isFound={index === currentIndex || message.message.key === jumpedTo}
                    position={index + 1}
                    isRoom={conversationId === everyone}
                    isTabStop={index === focus.tabStopIndex}
                    isSelecting={selection.items.length > 0}
                    isSelected={selection.has(message.message.key)}
                    onSelect={select}
                    onDelete={deleteMessage}
                  />
                </HighlightContext>
                {index === messages.length - 1 && (
                  <>
                    {presenceAt(messages.length)}
                    <OffersLine conversationId={conversationId} />
                  </>
                )}
              </div>
            );
          })}
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
        !isFirst && "mt-4",
      )}
    >
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      {children}
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  );
}

interface DaySeparatorProps extends Pick<SeparatorProps, "isFirst"> {
  readonly time: number;
  /** The number of new messages, if they begin with the day. */
  readonly newCount: number | null;
}

function DaySeparator({ time, newCount, isFirst = false }: DaySeparatorProps) {
  const t = useT();
  const format = useFormat();
  const day = format.day(time, useNow());
  return (
    <Separator isFirst={isFirst} isAccent={newCount !== null}>
      {newCount === null ? day : `${day} · ${t("conversation.new", { count: newCount })}`}
    </Separator>
  );
}

interface JumpButtonProps {
  readonly count: number;
  /** Back to the first new message, instead of to the latest. */
  readonly isUp?: boolean;
  readonly onClick: () => void;
}

function JumpButton({ count, isUp = false, onClick }: JumpButtonProps) {
  const t = useT();
  const format = useFormat();
  const toLatest = count === 0 ? t("conversation.jumpToLatest") : t("conversation.newBelow", { count });
  const Arrow = isUp ? SendIcon : ReceiveIcon;
  return (
    <button
      type="button"
      aria-label={isUp ? t("conversation.jumpToNew") : toLatest}
      className={cx(
        // Beside the column where there is space, and otherwise beside the cards of others, over none of their buttons. Cards as
        // wide as the pane have those at their right.
        "absolute right-1 z-header flex size-9 animate-fade-in items-center justify-center rounded-full bg-raised text-text-2 shadow-menu transition-colors hover:text-text max-[22rem]:left-1 touch:size-11 md:right-[max(4px,calc(50cqw-436px))] md:@max-[29rem]:left-1",
        isUp ? "top-3" : "bottom-3",
      )}
      onClick={onClick}
    >
      <Arrow size={16} />
      {count > 0 && (
        <span className="absolute -top-2 min-w-5 rounded-full bg-accent px-1 text-center font-medium text-meta text-on-accent">
          {format.number(count)}
        </span>
      )}
    </button>
  );
}
