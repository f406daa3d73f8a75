import { isBlank, type RoomTag } from "@warren/protocol";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import type { Partner } from "../../people/use-partner.ts";
import { appendText } from "../../tab/drafts.ts";
import { occupy } from "../../tab/occupied.ts";
import { Button } from "../../ui/button.tsx";
import { CheckLine } from "../../ui/fields/checkbox.tsx";
import { dialogStore } from "../../wiring/dialogs/open-dialog.tsx";
import { isTyping } from "../../wiring/shortcuts/shortcuts.ts";
import { useOption, useWarren } from "../../wiring/warren-context.tsx";
import { contentOf, goesToInbox, pasteOf } from "./paste.ts";
import type { Send } from "./use-send.ts";
import { useTakePaste } from "./use-take-paste.ts";

interface PagePasteProps {
  readonly partner: Partner;
  readonly send: Send;
}

/**
 * Handles pastes while no field has focus. Files are attached to the draft. Text goes to the others' clipboard inbox,
 * after a confirmation unless the user chose otherwise; with clipboard sharing off it goes into the draft.
 */
export function PagePaste({ partner, send }: PagePasteProps) {
  const enableClipboard = useOption("enableClipboard");
  const pasteUnasked = useOption("pasteUnasked");
  const { chat } = useWarren();
  /** The texts to be asked about, one after another. */
  const [asked, setAsked] = useState<readonly PastedText[]>([]);
  const takePaste = useTakePaste(partner.id);

  const onPaste = useEffectEvent((event: ClipboardEvent): void => {
    const { clipboardData } = event;
    if (isTyping(event) || dialogStore.getState()?.open || clipboardData === null) return;
    event.preventDefault();
    const paste = pasteOf(contentOf(clipboardData));
    takePaste(paste);
    if (isBlank(paste.text)) return;
    if (!enableClipboard || !goesToInbox(paste, partner)) appendText(partner.id, paste.text);
    else if (pasteUnasked) void send.clipboard(paste.text);
    else setAsked([...asked, { text: paste.text, atMs: event.timeStamp, room: chat.store.getState().room }]);
  });
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener("paste", (event) => onPaste(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);

  const [first, ...others] = asked;
  if (first === undefined) return null;
  return (
    <ClipboardQuestion
      key={first.atMs}
      name={partner.firstName}
      text={first.text}
      onSend={() => send.clipboard(first.text, first.room)}
      onEnd={() => setAsked(others)}
    />
  );
}

interface PastedText {
  readonly text: string;
  readonly atMs: number;
  /** The room that it was pasted in. */
  readonly room: RoomTag;
}

interface ClipboardQuestionProps {
  readonly name: string;
  readonly text: string;
  /** Resolves to whether it was sent. */
  readonly onSend: () => Promise<boolean>;
  readonly onEnd: () => void;
}

/** Asks whether a pasted text goes to the partner's clipboard inbox; the answer can be remembered. */
function ClipboardQuestion({ name, text, onSend, onEnd }: ClipboardQuestionProps) {
  const t = useT();
  const { settings } = useWarren();
  const [isRemembered, setRemembered] = useState(false);
  const titleId = useId();
  const textId = useId();
  const sendButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const end = occupy();
    sendButton.current?.focus();
    return () => {
      end();
      // The focused button is removed; focus that the user has moved meanwhile is left alone.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);

  const answer = async (isSent: boolean): Promise<void> => {
    // A text that could not be sent stays here, and can be sent again.
    if (isSent && !(await onSend())) return;
    if (isRemembered && isSent) settings.set("pasteUnasked", true);
    if (isRemembered && !isSent) settings.set("enableClipboard", false);
    onEnd();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (event.key === "Escape") void answer(false);
    else if (event.key === "Enter" && !isOnButton) void answer(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      className="shrink-0 border-line border-t bg-accent-soft"
      onKeyDown={onKeyDown}
    >
      <div className="mx-auto max-w-[792px] px-4 py-3">
        <h2 id={titleId} className="text-body font-medium">
          {t("clipboardQuestion.title", { name })}
        </h2>
        <div className="mt-1.5 rounded-control bg-surface px-3 py-2">
          <p id={textId} dir="auto" className="line-clamp-3 whitespace-pre-wrap break-words text-compact">
            {text}
          </p>
        </div>
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-40 flex-1">
            <CheckLine checked={isRemembered} onChange={setRemembered}>
              {t("clipboardQuestion.remember")}
            </CheckLine>
          </div>
          <div className="flex gap-2">
            <Button variant="ghost" onClick={() => void answer(false)}>
              {t("common.cancel")}
            </Button>
            <Button ref={sendButton} variant="primary" onClick={() => void answer(true)}>
              {t("common.send")}
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
}
