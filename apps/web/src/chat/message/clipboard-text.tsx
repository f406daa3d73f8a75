import type { TextMessage } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { ClipboardIcon, CopyIcon } from "../../ui/icons.ts";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import { useOptions } from "../../wiring/warren-context.ts";
import { MessageText } from "./text/message-text.tsx";
import { canAllowClipboard, useAllowClipboard } from "./use-allow-clipboard.ts";

interface ClipboardTextProps {
  readonly message: TextMessage;
  /** Whether it offers that later ones are copied at once. */
  readonly isLast: boolean;
}

/** A text that was sent for my clipboard, with the button that copies it. */
export function ClipboardText({ message, isLast }: ClipboardTextProps) {
  const t = useT();
  const allow = useAllowClipboard();
  const copyText = useCopyText();
  const person = usePerson(message.client);
  const canAllow = canAllowClipboard(person, useOptions());
  return (
    <>
      <p className="mb-1 flex items-center gap-1.5 text-meta text-text-2">
        <ClipboardIcon size={12} className="shrink-0" />
        {t("conversation.forClipboard")}
      </p>
      <MessageText text={message.data} isVerbatim />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" icon={CopyIcon} onClick={() => void copyText(message.data)}>
          {t("common.copy")}
        </Button>
        {isLast && canAllow && (
          <Button size="sm" variant="ghost" onClick={() => void allow(message.client, message.data)}>
            {t("conversation.clipboardAllowed", { name: person.firstName })}
          </Button>
        )}
      </div>
    </>
  );
}
