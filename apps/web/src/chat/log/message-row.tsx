import type { ChatMessage, MessageKey } from "@warren/core";
import { type MouseEvent, memo, type PointerEvent, useRef } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { AvatarById } from "../../people/person-avatar.tsx";
import { useName } from "../../people/use-person.ts";
import { useTab } from "../../tab/tab-context.ts";
import { cx } from "../../ui/cx.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { type Swipe, useSwipe } from "../../ui/hooks/use-swipe.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { MessageActions } from "../message/actions/message-actions.tsx";
import { MessageActionsDialog } from "../message/actions/message-actions-dialog.tsx";
import { type RowActions, useRowActions } from "../message/actions/use-row-actions.ts";
import { MessageFooter } from "../message/message-footer.tsx";
import { canReply } from "../message/message-rules.ts";
import { Reactions } from "../message/reactions.tsx";
import { writtenAt } from "../message/written-at.ts";
import type { LogRow } from "./log-rows.ts";
import { MessageContent } from "./message-content.tsx";

/** How far a swipe pulls a bubble. */
const pulledMaxPx = 64;

interface MessageRowProps extends Omit<LogRow, "day" | "newCount"> {
  /** Its number in the conversation, from 1. */
  readonly position: number;
  /** Whether this is the room conversation, where names and pictures identify the sender. */
  readonly isRoom: boolean;
  /** The only row in the tab order; arrow keys move on from there. */
  readonly isTabStop: boolean;
  /** Whether it is the current search match. */
  readonly isFound: boolean;
  /** Whether messages are being selected: a press selects it, or takes that back. */
  readonly isSelecting: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (key: MessageKey, isRange: boolean) => void;
  readonly onDelete: (message: ChatMessage) => void;
}

/**
 * A message with its parts. All props are primitive or stable, so that it re-renders only when they change.
 */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, isMine, opens, closes, groupSize, gap, position } = props;
  const { isRoom, isTabStop, isFound, isSelecting, isSelected, onSelect, onDelete } = props;
  const t = useT();
  const format = useFormat();
  const senderName = useName(message.client);
  const { drafts } = useTab();
  const { conversation, key } = message;
  const isCall = message.type === "call";
  const reply = canReply(message) && !isSelecting ? () => drafts.replyTo(conversation, key) : null;
  const bubble = useRef<HTMLDivElement>(null);
  const swipe = useSwipe(
    (to) => to === "right" && reply?.(),
    (x) => {
      const pulled = reply !== null ? Math.min(Math.max(x, 0), pulledMaxPx) : 0;
      if (bubble.current) bubble.current.style.translate = pulled === 0 ? "" : `${pulled}px`;
    },
  );
  const time = writtenAt(message, format);
  const name = isMine ? t("common.you") : senderName;
  const remove = () => onDelete(message);
  const select = (event: { readonly shiftKey: boolean }) => onSelect(key, event.shiftKey);
  const startSelecting = () => {
    // The button that was pressed goes with its strip.
    bubble.current?.closest("article")?.focus({ preventScroll: true });
    onSelect(key, false);
  };
  const openActions = async (): Promise<void> => {
    const props = { message, onSelect: startSelecting, onDelete: remove };
    const chosen = await openDialog(MessageActionsDialog, props);
    if (!chosen.cancelled) chosen.value();
  };
  const { isShown, hold, handlers } = useRowActions(() => {
    if (!isSelecting) void openActions();
    return !isSelecting;
  });
  return (
    <article
      {...mergeHandlers(handlers, swipe, isSelecting ? select : null)}
      data-key={message.key}
      aria-label={t("conversation.messageFrom", { name, time })}
      aria-posinset={position}
      // Unknown: passing the size would re-render every row for each new message.
      aria-setsize={-1}
      tabIndex={isTabStop ? 0 : -1}
      style={{ marginTop: gap }}
      className={cx(
        "group/row flex touch-pan-y outline-none",
        // A range is chosen with Shift, which would select the words.
        isSelecting && "cursor-pointer select-none",
        // Its shadow is its edge: with a padding, the rows below would move.
        (isFound || (isSelecting && isSelected)) &&
          "-mx-1 rounded-row bg-row-sel px-1 shadow-[0_0_0_3px_var(--color-row-sel)] forced-colors:bg-transparent forced-colors:outline-2 forced-colors:outline-solid forced-colors:outline-[Highlight]",
      )}
    >
      {isSelecting && (
        <Checkbox
          checked={isSelected}
          aria-label={t("conversation.selectFrom", { name, time })}
          className="mr-2 self-center"
          // The whole row is its target.
          onChange={() => {}}
        />
      )}
      {isRoom && !isMine && !isCall && (
        <div className="mr-2 flex w-7 shrink-0 items-end pb-5">
          {closes && <AvatarById id={message.client} size={28} />}
        </div>
      )}
      <div
        className={cx(
          "flex min-w-0 flex-1 flex-col",
          isCall ? "items-center" : isMine ? "items-end" : "items-start",
        )}
      >
        {isRoom && !isMine && !isCall && opens && (
          <p aria-hidden="true" className="on-picture mb-1 px-1 font-medium text-meta text-text-2">
            {senderName}
          </p>
        )}
        <div
          ref={bubble}
          // Lines of code are not broken: they get the width of 80 columns.
          className="relative max-w-[min(100%,var(--message-width))] rounded-bubble has-[pre]:max-w-[min(100%,704px)] outline-offset-2 pointer-coarse:select-none group-focus-visible/row:outline-2 group-focus-visible/row:outline-focus"
        >
          {!isCall && <span className="sr-only">{t("conversation.saidBy", { name })} </span>}
          <MessageContent row={props} onDelete={remove} />
          {isShown && !isSelecting && (
            <MessageActions
              message={message}
              isMine={isMine}
              onOpenChange={hold}
              onSelect={startSelecting}
              onDelete={remove}
            />
          )}
        </div>
        <Reactions message={message} />
        {closes && !isCall && <MessageFooter message={message} isMine={isMine} groupSize={groupSize} />}
      </div>
    </article>
  );
});

/** Merges the handlers of a long press and of a swipe: only the movement of a touch tells which of the two it is. */
function mergeHandlers(
  press: RowActions["handlers"],
  swipe: Swipe,
  select: ((event: MouseEvent) => void) | null,
) {
  return {
    ...press,
    onClickCapture(event: MouseEvent) {
      if (select === null) return;
      event.preventDefault();
      event.stopPropagation();
      select(event);
    },
    onPointerDown(event: PointerEvent) {
      press.onPointerDown(event);
      swipe.onPointerDown(event);
    },
    onPointerMove(event: PointerEvent) {
      press.onPointerMove(event);
      swipe.onPointerMove(event);
    },
    onPointerUp(event: PointerEvent) {
      press.onPointerUp();
      swipe.onPointerUp(event);
    },
    onPointerCancel() {
      press.onPointerCancel();
      swipe.onPointerCancel();
    },
  };
}
