import { type ChatMessage, type ConversationId, everyone } from "@warren/core";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from "react";
import { useProfile, useStore, useWarren } from "../../components/warren-context.tsx";
import { useAnnouncer } from "../../hooks/use-announcer.tsx";
import { useNow } from "../../hooks/use-now.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { ReceiveIcon } from "../../ui/icons.tsx";
import { Separator } from "../../ui/separator.tsx";
import { logRows } from "./log-rows.ts";
import { MessageRow } from "./message-row.tsx";
import { useDeleteMessage } from "./use-delete-message.ts";
import { useLogScroll } from "./use-log-scroll.ts";
import { useUnreadMark } from "./use-unread-mark.ts";

const noMessages: readonly ChatMessage[] = [];

interface MessageLogProps {
  readonly conversationId: ConversationId;
  /** Who is talked to, for the log's name. */
  readonly label: string;
}

/** Everything said in a conversation, the latest at the end. Give it a key: it belongs to one conversation. */
export function MessageLog({ conversationId, label }: MessageLogProps) {
  const { clientId: selfId } = useProfile();
  const { chat } = useWarren();
  const messages =
    useStore(chat.store, (state) => state.conversations[conversationId]?.messages) ?? noMessages;
  const unread = useUnreadMark(conversationId, selfId);
  const { box, content, start, isAtEnd, newBelow, onScroll, toEnd } = useLogScroll(messages, selfId);
  const rows = useMemo(
    () => logRows(messages.slice(start), selfId, unread),
    [messages, start, selfId, unread],
  );
  const [focusedKey, setFocusedKey] = useState<string>();
  const tabStop = rows.some((row) => row.key === focusedKey) ? focusedKey : messages.at(-1)?.key;
  useNewBelowAnnouncement(newBelow);
  const focusLog = useCallback(() => box.current?.focus(), [box]);
  const deleteMessage = useDeleteMessage(focusLog);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        aria-label={label}
        // Rows added above while reading back are no news.
        aria-live={isAtEnd ? "polite" : "off"}
        aria-relevant="additions"
        tabIndex={-1}
        className="h-full overflow-y-auto overscroll-contain outline-none"
        onScroll={onScroll}
        onKeyDown={moveBetweenRows}
        onFocus={({ target }) => setFocusedKey(target.closest("article")?.dataset.key)}
      >
        <div ref={content} className="mx-auto max-w-[792px] px-4 pt-4 pb-3 max-md:px-3.5">
          {rows.map((row) => {
            if (row.kind === "day") return <DaySeparator key={row.key} time={row.time} />;
            if (row.kind === "unread") return <UnreadSeparator key={row.key} count={row.count} />;
            const { kind: _kind, key, ...message } = row;
            return (
              <MessageRow
                key={key}
                {...message}
                isRoom={conversationId === everyone}
                isTabStop={key === tabStop}
                onDelete={deleteMessage}
              />
            );
          })}
        </div>
      </div>
      {!isAtEnd && <JumpButton count={newBelow} onClick={toEnd} />}
    </div>
  );
}

/** While the reader is elsewhere the log is silent: how many have come is said instead. */
function useNewBelowAnnouncement(newBelow: number): void {
  const t = useT();
  const announcer = useAnnouncer();
  useEffect(() => {
    if (newBelow > 0) announcer.polite(t("conversation.newBelow", { count: newBelow }));
  }, [t, announcer, newBelow]);
}

function moveBetweenRows(event: KeyboardEvent<HTMLDivElement>): void {
  const rows: EventTarget[] = [...event.currentTarget.querySelectorAll("article")];
  const at = rows.indexOf(event.target);
  if (at === -1) return;
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: rows.length - 1,
  };
  const row = rows[moves[event.key] ?? -1];
  if (!(row instanceof HTMLElement)) return;
  event.preventDefault();
  row.focus();
  row.scrollIntoView({ block: "nearest" });
}

function DaySeparator({ time }: { readonly time: number }) {
  const format = useFormat();
  const now = useNow();
  return <Separator className="mt-4 mb-2.5 first:mt-0">{format.day(time, now)}</Separator>;
}

function UnreadSeparator({ count }: { readonly count: number }) {
  const t = useT();
  return (
    <Separator tone="accent" className="mt-4 mb-2.5">
      {t("conversation.new", { count })}
    </Separator>
  );
}

function JumpButton({ count, onClick }: { readonly count: number; readonly onClick: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-label={count === 0 ? t("conversation.jumpToLatest") : t("conversation.newBelow", { count })}
      className="absolute right-0 bottom-3 left-0 z-header mx-auto flex h-9 w-fit min-w-9 animate-fade-in items-center justify-center gap-1.5 rounded-full bg-raised px-2.5 font-medium text-compact text-text-2 shadow-menu transition-colors hover:text-text touch:h-11 touch:min-w-11"
      onClick={onClick}
    >
      <ReceiveIcon size={16} />
      {count > 0 && <span className="pr-0.5">{t("conversation.new", { count })}</span>}
    </button>
  );
}
