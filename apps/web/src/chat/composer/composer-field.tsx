import type { ConversationId } from "@warren/core";
import type { ClipboardEvent, KeyboardEvent, RefObject } from "react";
import { useT } from "../../i18n/use-t.ts";
import type { Partner } from "../../people/use-partner.ts";
import { type Draft, isEmptyDraft } from "../../tab/drafts.ts";
import { useTab } from "../../tab/tab-context.ts";
import { cx } from "../../ui/cx.ts";
import { useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { useOption, useWarren } from "../../wiring/warren-context.ts";
import { canEdit } from "../message/message-rules.ts";
import { beginsLine, isLineBreak, sendsMessage } from "./composer-keys.ts";
import { contentOf, pasteOf } from "./paste.ts";
import { useAutoHeight } from "./use-auto-height.ts";
import type { EnterOffer } from "./use-enter-offer.ts";
import { useFieldFocus } from "./use-field-focus.ts";
import { usePlaceholder } from "./use-placeholder.ts";
import { useTakePaste } from "./use-take-paste.ts";

interface ComposerFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly conversationId: ConversationId;
  readonly partner: Partner;
  readonly draft: Draft;
  readonly canSend: boolean;
  /** The id of what says that the text is too long, if it is. */
  readonly tooLongId: string | undefined;
  readonly enterOffer: EnterOffer;
  readonly onSend: () => void;
}

/** Where a message is typed: its keys, what is pasted into it, its height and its focus. */
export function ComposerField({
  field,
  conversationId,
  partner,
  draft,
  canSend,
  tooLongId,
  enterOffer,
  onSend,
}: ComposerFieldProps) {
  const t = useT();
  const { settings, chat, profile } = useWarren();
  const { drafts } = useTab();
  const takePaste = useTakePaste(conversationId);
  const enterSends = useOption("enterSends");
  const isTouch = useMediaQuery("(pointer: coarse)");
  const placeholder = usePlaceholder(partner, isTouch);
  const { text, about } = draft;
  useAutoHeight(field, text, placeholder);
  useFieldFocus(field, draft);
  const write = (next: string): void => drafts.change(conversationId, { text: next });

  /** Edits my last text, if it can be. @returns whether it does. */
  const editLast = (): boolean => {
    const messages = chat.store.getState().conversations[conversationId]?.messages ?? [];
    const mine = messages.findLast((message) => message.client === profile.get().clientId);
    if (mine === undefined || !canEdit(mine, mine.client)) return false;
    drafts.edit(conversationId, mine.key, mine.data);
    return true;
  };

  /** The second Enter in a row makes Enter send, without the line that the first one began. */
  const chooseEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    event.preventDefault();
    const { value, selectionStart } = event.currentTarget;
    write(value.slice(0, selectionStart - 1) + value.slice(selectionStart));
    settings.set("enterSends", true);
    onSend();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { nativeEvent } = event;
    if (event.key === "Escape" && about !== undefined) {
      event.stopPropagation();
      drafts.leaveSubject(conversationId);
    } else if (event.key === "ArrowUp" && isEmptyDraft(draft) && about === undefined) {
      if (!isComposing(nativeEvent) && editLast()) event.preventDefault();
    } else if (sendsMessage(nativeEvent, { enterSends, isTouch })) {
      event.preventDefault();
      onSend();
    } else if (!enterSends && !isTouch && beginsLine(nativeEvent)) {
      if (enterOffer.isShown) chooseEnter(event);
      else if (canSend) enterOffer.show();
    }
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const content = contentOf(event.clipboardData);
    const paste = pasteOf(content);
    takePaste(paste);
    // The browser inserts plain text itself, and can undo that.
    if (paste.text !== "" && paste.text === content.text) return;
    event.preventDefault();
    if (paste.text === "") return;
    const input = event.currentTarget;
    input.setRangeText(paste.text, input.selectionStart, input.selectionEnd, "end");
    write(input.value);
  };

  return (
    <textarea
      ref={field}
      rows={1}
      dir="auto"
      value={text}
      aria-label={t("composer.label")}
      aria-describedby={tooLongId}
      aria-invalid={tooLongId !== undefined || undefined}
      placeholder={placeholder}
      enterKeyHint={isTouch ? "enter" : "send"}
      className={cx(
        "min-w-0 flex-1 resize-none bg-transparent px-2 py-1.5 text-message outline-none md:pointer-coarse:py-[11.5px]",
        "max-md:rounded-[20px] max-md:bg-sunken max-md:px-4 max-md:my-0.5 max-md:py-[9px] max-md:focus-visible:shadow-[inset_0_0_0_1px_var(--control)]",
      )}
      onChange={(event) => {
        if (!isLineBreak(event.nativeEvent)) enterOffer.hide();
        write(event.target.value);
        if (event.target.value !== "" && about?.kind !== "edit") chat.sendTyping(conversationId);
      }}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  );
}
