import { type ConversationId, everyone } from "@warren/core";
import type { RoomTag } from "@warren/protocol";
import { memo, useEffect, useId, useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { usePartner } from "../../people/use-partner.ts";
import { isEmptyDraft } from "../../tab/drafts.ts";
import { useTab } from "../../tab/tab-context.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { SendIcon } from "../../ui/icons.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { printedKeys } from "../../wiring/shortcuts/printed-keys.ts";
import { useOption, useStore, useWarren } from "../../wiring/warren-context.ts";
import { ComposerQuote } from "../message/quote.tsx";
import { AttachMenu, ClipboardButton } from "./attach-menu.tsx";
import { ComposerAttachments } from "./composer-attachments.tsx";
import { ComposerField } from "./composer-field.tsx";
import { DropTarget } from "./drop-target.tsx";
import { obstacleOf, useObstacleWords } from "./obstacle.ts";
import { sendDraft } from "./send-draft.ts";
import { useClipboardInbox } from "./use-clipboard-inbox.tsx";
import { useEnterOffer } from "./use-enter-offer.ts";
import { usePagePaste } from "./use-page-paste.ts";
import { useSend } from "./use-send.ts";

interface ComposerProps {
  readonly conversationId: ConversationId;
}

/** The message composer. Needs a key per conversation. Not re-rendered by messages in the conversation. */
export const Composer = memo(function Composer({ conversationId }: ComposerProps) {
  const t = useT();
  const partner = usePartner(conversationId);
  const send = useSend(conversationId);
  const { chat } = useWarren();
  const { drafts, busy } = useTab();
  const inbox = useClipboardInbox(partner, send);
  const sendClipboard = (text: string, pressedIn: RoomTag) => inbox.send(text, "button", pressedIn);
  usePagePaste(partner, (text) => void inbox.send(text, "paste", chat.store.getState().room));
  const enterSends = useOption("enterSends");
  const draft = useStore(drafts.store, () => drafts.of(conversationId));
  const { text, attachments, about } = draft;
  const isEmpty = isEmptyDraft(draft);
  const enterOffer = useEnterOffer();
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const obstacle = obstacleOf(draft, partner);
  const obstacleWords = useObstacleWords();
  useEffect(() => (isEmpty ? undefined : busy.begin()), [busy, isEmpty]);

  const submit = async (): Promise<void> => {
    if (obstacle !== null) return;
    enterOffer.hide();
    field.current?.focus();
    if (about?.kind === "edit") {
      if (await send.edit(about.key, text)) drafts.leaveSubject(conversationId);
      return;
    }
    const { room } = chat.store.getState();
    const isHere = () => conversationId !== everyone || chat.store.getState().room === room;
    await drafts.send(conversationId, (sent) => sendDraft(sent, { send, room, isHere }));
  };

  const submitAsFile = (): Promise<void> =>
    drafts.send(conversationId, async (sent) => {
      const file = new File([sent.text], t("composer.textFileName"), { type: "text/plain" });
      const unsent = await send.items({ files: [file], folders: [] });
      return unsent.files.length === 0 ? { ...sent, text: "" } : sent;
    });

  return (
    <>
      <DropTarget send={send} partner={partner} />
      {inbox.question}
      <div className="@container shrink-0 bg-surface max-md:border-line max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]">
        <div className="relative mx-auto max-w-[792px] px-4 md:pt-2 md:pb-5 max-md:px-2 max-md:py-2">
          {/* In the space below the field: the conversation stays where it is. A phone has none. */}
          {enterOffer.isShown && (
            <p
              role="status"
              className="truncate px-1 text-meta text-text-2 max-md:mb-2 md:absolute md:inset-x-6 md:bottom-0.5"
            >
              {t("composer.enterOffer")}
            </p>
          )}
          {obstacle === "too-long" && (
            <TooLong
              id={noteId}
              reason={obstacleWords["too-long"]}
              onSendAsFile={() => void submitAsFile()}
            />
          )}
          {obstacle === "nobody" && !isEmpty && (
            <p role="status" className="mb-2 px-1 text-compact text-danger">
              {obstacleWords.nobody}
            </p>
          )}
          <div className="md:rounded-card md:border md:border-line-2 md:bg-raised md:p-[5px] md:has-[textarea:focus-visible]:border-control">
            {about !== undefined && (
              <ComposerQuote
                about={about}
                conversationId={conversationId}
                onRemove={() => {
                  drafts.leaveSubject(conversationId);
                  field.current?.focus();
                }}
              />
            )}
            <ComposerAttachments
              attachments={attachments}
              onRemove={(removed) => {
                drafts.change(conversationId, {
                  attachments: attachments.filter((each) => each !== removed),
                });
                field.current?.focus();
              }}
            />
            <div className="flex items-end gap-1 md:min-h-8">
              <AttachMenu conversationId={conversationId} send={send} onClipboard={sendClipboard} />
              <ComposerField
                field={field}
                conversationId={conversationId}
                partner={partner}
                draft={draft}
                canSend={obstacle === null}
                tooLongId={obstacle === "too-long" ? noteId : undefined}
                enterOffer={enterOffer}
                onSend={() => void submit()}
              />
              <span className="flex h-8 items-center px-1.5 max-md:hidden pointer-coarse:hidden @max-[28rem]:hidden">
                <Kbd>{enterSends ? t("composer.keyHintEnter") : printedKeys(t("composer.keyHint"))}</Kbd>
              </span>
              <ClipboardButton
                conversationId={conversationId}
                onClipboard={sendClipboard}
                className="max-md:hidden"
              />
              <IconButton
                icon={SendIcon}
                label={t("common.send")}
                tone="primary"
                tooltipSide="top"
                disabledReason={obstacle === null ? undefined : obstacleWords[obstacle]}
                className={cx(
                  "rounded-row max-md:rounded-full",
                  obstacle !== null && "bg-sunken text-text-2",
                )}
                onClick={() => void submit()}
              />
            </div>
          </div>
        </div>
      </div>
    </>
  );
});

interface TooLongProps {
  readonly id: string;
  readonly reason: string;
  readonly onSendAsFile: () => void;
}

function TooLong({ id, reason, onSendAsFile }: TooLongProps) {
  const t = useT();
  return (
    <div role="status" className="mb-2 flex items-center gap-3 px-1 text-compact text-danger">
      <p id={id} className="min-w-0 flex-1">
        {reason}
      </p>
      <Button size="sm" onClick={onSendAsFile}>
        {t("composer.sendAsFile")}
      </Button>
    </div>
  );
}
