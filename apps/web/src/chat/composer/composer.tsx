import { type ConversationId, everyone } from "@warren/core";
import { limits, type RoomTag, truncated } from "@warren/protocol";
import { type ClipboardEvent, type KeyboardEvent, memo, useEffect, useId, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { type Partner, usePartner } from "../../people/use-partner.ts";
import { useNobodyHere } from "../../room/nobody-here.ts";
import { type Attachment, type Draft, emptyDraft, isEmptyDraft, isTooLong } from "../../tab/drafts.ts";
import { useTab } from "../../tab/tab-context.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useBreakpoint, useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { SendIcon } from "../../ui/icons.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { useDevice } from "../../wiring/device-context.tsx";
import { printedKeys } from "../../wiring/shortcuts/printed-keys.ts";
import { useOption, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { canChange } from "../message/message-subject.ts";
import { ComposerQuote } from "../message/quote.tsx";
import { AttachMenu, ClipboardButton } from "./attach-menu.tsx";
import { ComposerAttachments } from "./composer-attachments.tsx";
import { DropTarget } from "./drop-target.tsx";
import { contentOf, pasteOf } from "./paste.ts";
import { useAutoHeight } from "./use-auto-height.ts";
import { useClipboardInbox } from "./use-clipboard-inbox.tsx";
import { usePagePaste } from "./use-page-paste.ts";
import { useSend } from "./use-send.ts";
import { useTakePaste } from "./use-take-paste.ts";

/** Maximum length of a name in the placeholder. */
const shownNameMax = 20;

/** Where a browser keeps that Enter was explained. */
const offeredKey = "enter_offered";

/** Why a draft cannot be sent now. */
type Obstacle = "empty" | "too-long" | "nobody" | null;

function obstacleOf({ text, attachments, about }: Draft, { isRoom, isHere }: Partner): Obstacle {
  if (about?.kind === "edit") return text.trim() === "" ? "empty" : isTooLong(text) ? "too-long" : null;
  if (isRoom && !isHere) return "nobody";
  if (text.trim() === "" && attachments.length === 0) return "empty";
  return isTooLong(text) ? "too-long" : null;
}

/** The parts of a key event that decide whether it sends. */
export interface ComposerKey {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

/** Whether a key event is Enter alone, which starts a new line unless it sends. */
function beginsLine(press: ComposerKey): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = press;
  return key === "Enter" && !isComposing(press) && !(shiftKey || ctrlKey || metaKey || altKey);
}

function isLineBreak(input: Event): boolean {
  return input instanceof InputEvent && input.inputType === "insertLineBreak";
}

/**
 * Whether a key event in the composer sends: Ctrl (or Command) with Enter, and Shift with Enter. With
 * `enterSends`, Enter alone sends and Shift with Enter starts a new line, as there is no other way to. On a
 * touch keyboard Enter always starts a new line.
 */
export function sendsMessage(
  press: ComposerKey,
  { enterSends, isTouch }: { readonly enterSends: boolean; readonly isTouch: boolean },
): boolean {
  if (press.key !== "Enter" || isComposing(press) || press.altKey) return false;
  if (press.ctrlKey || press.metaKey) return true;
  return enterSends && !isTouch ? !press.shiftKey : press.shiftKey;
}

/** Whether the text of a draft is the caption of its picture, which then goes first. */
function isCaptioned({ text, about, attachments: [only, ...others] }: Draft): boolean {
  const isPicture = only?.kind === "file" && only.file.type.startsWith("image/");
  return isPicture && others.length === 0 && text.trim() !== "" && about === undefined;
}

interface ComposerProps {
  readonly conversationId: ConversationId;
}

/** The message composer. Needs a key per conversation. Not re-rendered by messages in the conversation. */
export const Composer = memo(function Composer({ conversationId }: ComposerProps) {
  const t = useT();
  const partner = usePartner(conversationId);
  const send = useSend(conversationId);
  const { settings, chat, profile } = useWarren();
  const { drafts, busy } = useTab();
  const inbox = useClipboardInbox(partner, send);
  const sendClipboard = (text: string, pressedIn: RoomTag) => inbox.send(text, "button", pressedIn);
  usePagePaste(partner, (text) => void inbox.send(text, "paste", chat.store.getState().room));
  const takePaste = useTakePaste(conversationId);
  const enterSends = useOption("enterSends");
  const isTouch = useMediaQuery("(pointer: coarse)");
  const draft = useStore(drafts.store, () => drafts.of(conversationId));
  const { text, attachments, about } = draft;
  const isEmpty = isEmptyDraft(draft);
  const enterOffer = useEnterOffer();
  const input = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const obstacle = obstacleOf(draft, partner);
  const reasons = useReasons();
  const placeholder = usePlaceholder(partner, isTouch);
  useAutoHeight(input, text, placeholder);
  useEffect(() => {
    // A touch keyboard that opens by itself would cover the conversation.
    if (!matchMedia("(pointer: coarse)").matches) input.current?.focus({ preventScroll: true });
  }, []);

  useEffect(() => (isEmpty ? undefined : busy.begin()), [busy, isEmpty]);
  useEffect(() => {
    const field = input.current;
    if (about === undefined || field === null) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, [about]);
  const lastAttached = attachments.at(-1)?.key ?? 0;
  useEffect(() => {
    // The caption comes next.
    if (lastAttached > 0 && !matchMedia("(pointer: coarse)").matches) input.current?.focus();
  }, [lastAttached]);

  const write = (next: string): void => drafts.change(conversationId, { text: next });

  const submit = async (): Promise<void> => {
    if (obstacle !== null) return;
    enterOffer.hide();
    input.current?.focus();
    if (about?.kind === "edit") {
      if (await send.edit(about.key, text)) drafts.leaveSubject(conversationId);
      return;
    }
    const { room } = chat.store.getState();
    await drafts.send(conversationId, async (sent) => {
      const sendText = async () => sent.text.trim() === "" || (await send.text(sent.text, sent.about?.key));
      const sendItems = async (): Promise<readonly Attachment[]> => {
        const items = {
          files: sent.attachments.flatMap((each) => (each.kind === "file" ? [each.file] : [])),
          folders: sent.attachments.flatMap((each) => (each.kind === "folder" ? [each.folder] : [])),
        };
        const { files, folders } = await send.items(items, room);
        return sent.attachments.filter((each) =>
          each.kind === "file" ? files.includes(each.file) : folders.includes(each.folder),
        );
      };
      if (isCaptioned(sent)) {
        if ((await sendItems()).length > 0) return sent;
        const isHere = conversationId !== everyone || chat.store.getState().room === room;
        return isHere && (await sendText()) ? emptyDraft : { ...sent, attachments: [] };
      }
      return (await sendText()) ? { text: "", attachments: await sendItems() } : sent;
    });
  };

  const submitAsFile = (): Promise<void> =>
    drafts.send(conversationId, async (sent) => {
      const file = new File([sent.text], t("composer.textFileName"), { type: "text/plain" });
      const unsent = await send.items({ files: [file], folders: [] });
      return unsent.files.length === 0 ? { ...sent, text: "" } : sent;
    });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === "Escape" && about !== undefined) {
      event.stopPropagation();
      drafts.leaveSubject(conversationId);
      return;
    }
    if (event.key === "ArrowUp" && isEmpty && about === undefined && !isComposing(event.nativeEvent)) {
      if (editLast()) event.preventDefault();
      return;
    }
    const isSent = sendsMessage(event.nativeEvent, { enterSends, isTouch });
    if (isSent) {
      event.preventDefault();
      void submit();
    } else if (!enterSends && !isTouch && beginsLine(event.nativeEvent)) {
      if (enterOffer.isShown) chooseEnter(event);
      else if (obstacle === null) enterOffer.show();
    }
  };

  /** Edits my last text, if it can be. @returns whether it does. */
  const editLast = (): boolean => {
    const messages = chat.store.getState().conversations[conversationId]?.messages ?? [];
    const mine = messages.findLast((message) => message.client === profile.get().clientId);
    if (mine === undefined || !canChange(mine, mine.client)) return false;
    drafts.edit(conversationId, mine.key, mine.data);
    return true;
  };

  /** The second Enter in a row makes Enter send, without the line that the first one began. */
  const chooseEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    event.preventDefault();
    const { value, selectionStart } = event.currentTarget;
    write(value.slice(0, selectionStart - 1) + value.slice(selectionStart));
    settings.set("enterSends", true);
    void submit();
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const content = contentOf(event.clipboardData);
    const paste = pasteOf(content);
    takePaste(paste);
    // The browser inserts plain text itself, and can undo that.
    if (paste.text !== "" && paste.text === content.text) return;
    event.preventDefault();
    if (paste.text === "") return;
    const field = event.currentTarget;
    field.setRangeText(paste.text, field.selectionStart, field.selectionEnd, "end");
    write(field.value);
  };

  return (
    <>
      <DropTarget send={send} partner={partner} />
      {inbox.question}
      <div className="@container shrink-0 bg-surface max-md:border-line max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]">
        <div className="mx-auto max-w-[792px] px-4 md:pt-2 md:pb-5 max-md:px-2 max-md:py-2">
          {obstacle === "too-long" && (
            <TooLong id={noteId} reason={reasons["too-long"]} onSendAsFile={() => void submitAsFile()} />
          )}
          {enterOffer.isShown && (
            <p role="status" className="mb-2 px-1 text-compact text-text-2">
              {t("composer.enterOffer")}
            </p>
          )}
          {obstacle === "nobody" && !isEmpty && (
            <p role="status" className="mb-2 px-1 text-compact text-danger">
              {reasons.nobody}
            </p>
          )}
          <div className="md:rounded-card md:border md:border-line-2 md:bg-raised md:p-[5px] md:has-[textarea:focus-visible]:border-control">
            {about !== undefined && (
              <ComposerQuote
                about={about}
                conversationId={conversationId}
                onRemove={() => {
                  drafts.leaveSubject(conversationId);
                  input.current?.focus();
                }}
              />
            )}
            <ComposerAttachments
              attachments={attachments}
              onRemove={(removed) => {
                drafts.change(conversationId, {
                  attachments: attachments.filter((each) => each !== removed),
                });
                input.current?.focus();
              }}
            />
            <div className="flex items-end gap-1 md:min-h-8">
              <AttachMenu conversationId={conversationId} send={send} onClipboard={sendClipboard} />
              <textarea
                ref={input}
                rows={1}
                dir="auto"
                value={text}
                aria-label={t("composer.label")}
                aria-describedby={obstacle === "too-long" ? noteId : undefined}
                aria-invalid={obstacle === "too-long" || undefined}
                placeholder={placeholder}
                enterKeyHint={isTouch ? "enter" : "send"}
                className={cx(
                  "min-w-0 flex-1 resize-none bg-transparent px-2 py-1.5 text-message outline-none",
                  "max-md:rounded-[20px] max-md:bg-sunken max-md:px-4 max-md:my-0.5 max-md:py-[9px] max-md:focus-visible:shadow-[inset_0_0_0_1px_var(--control)]",
                )}
                onChange={(event) => {
                  if (!isLineBreak(event.nativeEvent)) enterOffer.hide();
                  write(event.target.value);
                  if (event.target.value !== "" && about?.kind !== "edit") chat.noteTyping(conversationId);
                }}
                onKeyDown={onKeyDown}
                onPaste={onPaste}
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
                disabledReason={obstacle === null ? undefined : reasons[obstacle]}
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

interface EnterOffer {
  readonly isShown: boolean;
  /** Shows the offer; once per browser. */
  show(): void;
  hide(): void;
}

/** State of the offer that Enter sends from now on, made after the first line that Enter began. */
function useEnterOffer(): EnterOffer {
  const { storage } = useDevice();
  const [isShown, setShown] = useState(false);
  return {
    isShown,
    show() {
      if (storage.read(offeredKey) !== null) return;
      storage.write(offeredKey, "true");
      setShown(true);
    },
    hide: () => setShown(false),
  };
}

/** The placeholder in one line: a phone has no space to mention drag and drop, a touch device no use for it. */
function usePlaceholder({ isRoom, isHere, firstName }: Partner, isTouch: boolean): string {
  const t = useT();
  const isShort = useBreakpoint() === "phone" || isTouch;
  const name = shortened(firstName);
  if (isRoom) return isShort ? t("placeholder.everyoneTouch") : t("placeholder.everyone");
  if (!isHere) return isShort ? t("placeholder.awayShort", { name }) : t("placeholder.away", { name });
  return isShort ? t("placeholder.personTouch", { name }) : t("placeholder.person", { name });
}

/**
 * The field grows with its placeholder: a very long name would leave no space for the conversation on a
 * phone.
 */
function shortened(name: string): string {
  return name.length <= shownNameMax ? name : `${truncated(name, shownNameMax - 1)}…`;
}

function useReasons(): Readonly<Record<NonNullable<Obstacle>, string>> {
  const t = useT();
  const format = useFormat();
  return {
    empty: t("composer.sendEmpty"),
    nobody: useNobodyHere(),
    "too-long": t("composer.tooLong", { limit: format.size(limits.textBytes) }),
  };
}

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
