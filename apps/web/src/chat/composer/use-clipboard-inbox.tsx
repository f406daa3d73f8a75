import type { RoomTag } from "@warren/protocol";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import type { Partner } from "../../people/use-partner.ts";
import { useTab } from "../../tab/tab-context.ts";
import { Button } from "../../ui/button.tsx";
import { CheckLine } from "../../ui/fields/checkbox.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useOption, useWarren } from "../../wiring/warren-context.ts";
import type { Send } from "./use-send.ts";

/** Where a browser keeps that its person has sent the clipboard with the button once. */
const sentKey = "clipboard_sent";

/** How a text came: by Ctrl+V outside of any field, which may be a slip, or by the button for it. */
type Origin = "paste" | "button";

/** A text for the others' clipboard. */
interface ClipboardText {
  readonly text: string;
  readonly origin: Origin;
  /** The room that it was meant for. */
  readonly room: RoomTag;
  readonly number: number;
}

interface ClipboardInbox {
  /** Sends a text to the others' clipboard, after a question unless the person chose otherwise before. */
  send(text: string, origin: Origin, room: RoomTag): Promise<void>;
  /** The question about the text that waits. */
  readonly question: ReactNode;
}

/** Sends texts to the clipboard of a conversation's people. The button asks once; pasting until it is told not to. */
export function useClipboardInbox(partner: Partner, send: Send): ClipboardInbox {
  const { storage } = usePlatform();
  const pasteUnasked = useOption("pasteUnasked");
  /** The texts to be asked about, one after another. */
  const [asked, setAsked] = useState<readonly ClipboardText[]>([]);
  const count = useRef(0);
  const [first] = asked;
  return {
    async send(text, origin, room) {
      const isUnasked = origin === "paste" ? pasteUnasked : storage.read(sentKey) !== null;
      const number = ++count.current;
      if (isUnasked) await send.clipboard(text, room);
      else setAsked((before) => [...before, { text, origin, room, number }]);
    },
    question: first && (
      <ClipboardQuestion
        key={first.number}
        name={partner.firstName}
        text={first.text}
        origin={first.origin}
        onSend={async () => {
          const isSent = await send.clipboard(first.text, first.room);
          if (isSent && first.origin === "button") storage.write(sentKey, "true");
          return isSent;
        }}
        onEnd={() => setAsked((all) => all.filter(({ number }) => number !== first.number))}
      />
    ),
  };
}

interface ClipboardQuestionProps {
  readonly name: string;
  readonly text: string;
  readonly origin: Origin;
  /** Resolves to whether it was sent. */
  readonly onSend: () => Promise<boolean>;
  readonly onEnd: () => void;
}

/** Asks whether a text goes to the partner's clipboard; the answer about pasting can be remembered. */
function ClipboardQuestion({ name, text, origin, onSend, onEnd }: ClipboardQuestionProps) {
  const t = useT();
  const { settings } = useWarren();
  const { busy } = useTab();
  const [isRemembered, setRemembered] = useState(false);
  const [isSending, setSending] = useState(false);
  const titleId = useId();
  const textId = useId();
  const sendButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const end = busy.begin();
    sendButton.current?.focus();
    return () => {
      end();
      // The focused button is removed; focus that the user has moved meanwhile is left alone.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [busy]);

  const answer = async (isSent: boolean): Promise<void> => {
    if (isSent) {
      if (isSending) return;
      setSending(true);
      const isDone = await onSend();
      setSending(false);
      // A text that could not be sent stays here, and can be sent again.
      if (!isDone) return;
    }
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
            {origin === "paste" ? (
              <CheckLine checked={isRemembered} onChange={setRemembered}>
                {t("clipboardQuestion.remember")}
              </CheckLine>
            ) : (
              <p className="text-compact text-text-2">{t("clipboardQuestion.once")}</p>
            )}
          </div>
          <div className="ml-auto flex gap-2">
            <Button variant="ghost" onClick={() => void answer(false)}>
              {t("common.cancel")}
            </Button>
            <Button ref={sendButton} variant="primary" loading={isSending} onClick={() => void answer(true)}>
              {t("common.send")}
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
}
