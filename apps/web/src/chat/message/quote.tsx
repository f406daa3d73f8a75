import type { ChatMessage, ConversationId, MessageKey } from "@warren/core";
import { messageNameOf } from "@warren/core";
import { useState } from "react";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { useName } from "../../people/use-person.ts";
import type { DraftSubject } from "../../tab/drafts.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon } from "../../ui/icons.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { messageLine } from "./message-line.ts";

interface QuoteProps {
  readonly messageKey: MessageKey;
  readonly conversationId: ConversationId;
}

/** The message that another one answers. Pressing it shows that message in the conversation. */
export function Quote({ messageKey, conversationId }: QuoteProps) {
  const t = useT();
  const { openLog } = useTab();
  const message = useQuoted(messageKey, conversationId);
  const name = useQuotedName(messageKey);
  const words = (
    <span className="block min-w-0 border-accent border-s-2 ps-2 text-compact">
      {message !== null && <span className="block truncate font-medium text-accent-text">{name}</span>}
      <span className="block truncate text-text-2">{quotedWords(message, t)}</span>
    </span>
  );
  if (!message) return <div className="mb-1">{words}</div>;
  return (
    <button
      type="button"
      className="mb-1 block w-full max-w-full rounded-kbd text-start hover:bg-hover touch:py-1"
      onClick={() => openLog.scrollTo(messageKey)}
    >
      <span className="sr-only">{t("conversation.inReplyTo")} </span>
      {words}
    </button>
  );
}

interface ComposerQuoteProps extends Omit<QuoteProps, "messageKey"> {
  readonly about: DraftSubject;
  readonly onRemove: () => void;
}

/** The message that the draft answers or replaces, above the text. */
export function ComposerQuote({ about, conversationId, onRemove }: ComposerQuoteProps) {
  const t = useT();
  const message = useQuoted(about.key, conversationId);
  const name = useQuotedName(about.key);
  const isEdit = about.kind === "edit";
  return (
    <div className="flex items-center gap-2 px-2 pt-1 pb-1.5">
      <div className="min-w-0 flex-1 border-accent border-s-2 ps-2 text-compact">
        <p className="truncate font-medium text-accent-text">
          {isEdit ? t("composer.editing") : t("composer.replyTo", { name })}
        </p>
        <p className="truncate text-text-2">{quotedWords(message, t)}</p>
      </div>
      <IconButton
        size="sm"
        icon={CloseIcon}
        iconSize={15}
        label={isEdit ? t("composer.noEdit") : t("composer.noReply")}
        shortcut="Esc"
        tooltipSide="top"
        onClick={onRemove}
      />
    </div>
  );
}

/** What is shown of a quoted message; undefined while it is being read from storage, null if it is not here. */
function quotedWords(message: ChatMessage | null | undefined, t: Translate): string {
  // Keeps the height while it is being read.
  if (message === undefined) return "\u00A0";
  if (message === null) return t("conversation.quoteMissing");
  return messageLine(message, t);
}

function useQuotedName(key: MessageKey): string {
  const t = useT();
  const { client } = messageNameOf(key);
  const name = useName(client);
  return client === useProfile().clientId ? t("common.you") : name;
}

/**
 * The quoted message. One of another conversation counts as missing: who quotes it here would otherwise show that this
 * browser has it.
 */
function useQuoted(key: MessageKey, conversationId: ConversationId): ChatMessage | null | undefined {
  const { chat } = useWarren();
  const inMemory = useStore(chat.store, ({ conversations }) =>
    conversations[conversationId]?.messages.findLast((message) => message.key === key),
  );
  const [stored, setStored] = useState<ChatMessage | null>();
  const isInMemory = inMemory !== undefined;
  useAbortableEffect(
    (signal) => {
      if (isInMemory) return;
      const show = (message: ChatMessage | null): void => {
        if (!signal.aborted) setStored(message?.conversation === conversationId ? message : null);
      };
      chat.lookUp(key).then(show, () => show(null));
    },
    [chat, key, conversationId, isInMemory],
  );
  return inMemory ?? stored;
}
