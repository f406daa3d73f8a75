import type { ChatMessage } from "@warren/core";
import { useEffect } from "react";
import { forward } from "../../files/forward/forward.ts";
import { isStored } from "../../files/use-is-stored.ts";
import { translate } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { forwardItemOf } from "../../tab/forward-item.ts";
import { Button } from "../../ui/button.tsx";
import type { Selection } from "../../ui/hooks/use-selection.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, CopyIcon, DeleteIcon, ForwardIcon } from "../../ui/icons.ts";
import { useBackGesture } from "../../ui/overlays/use-back-gesture.ts";
import { announcer } from "../../wiring/announcer.ts";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { useDeleteMessages } from "../message/actions/use-delete-messages.ts";

/** A status of the bar itself would come with its words, which not all screen readers read. */
const announceSelected = announcer.kind((counts: readonly number[]) =>
  translate("conversation.selected", { count: counts.at(-1) ?? 0 }),
);

interface SelectedMessagesBarProps {
  readonly selection: Selection<ChatMessage>;
  /** Moves the focus that the bar had. */
  readonly onEnd: () => void;
}

/** What can be done with the selected messages; takes the place of the composer. */
export function SelectedMessagesBar({ selection, onEnd }: SelectedMessagesBarProps) {
  const t = useT();
  const warren = useWarren();
  const library = useStore(warren.files.store);
  const copyText = useCopyText();
  const { items: messages, clear } = selection;
  const end = (): void => {
    clear();
    onEnd();
  };
  useBackGesture(end);
  const deleteMessages = useDeleteMessages(end);
  const texts = messages.flatMap((message) =>
    message.type === "text" && !message.deleted ? message.data : [],
  );
  const items = messages
    .filter((message) => message.type !== "call")
    .filter((message) =>
      message.type === "text" ? !message.deleted : isStored(library.get(message.file.fid)),
    )
    .map(forwardItemOf);
  const count = messages.length;
  useEffect(() => announceSelected("selected messages", count), [count]);
  return (
    <div
      role="toolbar"
      aria-label={t("conversation.selected", { count })}
      className="border-line border-t bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto flex min-h-14 max-w-[792px] flex-wrap items-center gap-1 px-4 py-2 max-md:px-2">
        <p className="grow px-1 font-medium text-body tabular-nums">
          {t("conversation.selected", { count })}
        </p>
        <div className="flex gap-1 max-md:order-last max-md:basis-full max-md:[&>button]:flex-1 max-md:[&>button]:px-0">
          {texts.length > 0 && (
            <Button variant="ghost" icon={CopyIcon} onClick={() => void copyText(texts.join("\n"))}>
              {t("common.copy")}
            </Button>
          )}
          {items.length > 0 && (
            <Button
              variant="ghost"
              icon={ForwardIcon}
              onClick={() => void forward(warren, items).then((wasSent) => wasSent && end())}
            >
              {t("common.forward")}
            </Button>
          )}
          <Button variant="danger-text" icon={DeleteIcon} onClick={() => void deleteMessages(messages)}>
            {t("common.delete")}
          </Button>
        </div>
        <IconButton icon={CloseIcon} label={t("conversation.endSelecting")} tooltipSide="top" onClick={end} />
      </div>
    </div>
  );
}
