import { useEffect } from "react";
import { useForward } from "../../files/forward/forward-dialog.tsx";
import { isStoredWhole } from "../../files/use-is-stored.ts";
import { translate } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, CopyIcon, DeleteIcon, ForwardIcon } from "../../ui/icons.ts";
import { announcer } from "../../wiring/announcer.ts";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";
import { forwardItemOf } from "../message/message-subject.ts";
import { useDeleteMessages } from "../message/use-delete-messages.ts";
import type { SelectedMessages } from "./use-selected-messages.ts";

/** A status of the bar itself would come with its words, which not all screen readers read. */
const tellSelected = announcer.kind((counts: readonly number[]) =>
  translate("conversation.selected", { count: counts.at(-1) ?? 0 }),
);

interface SelectedMessagesBarProps {
  readonly selected: SelectedMessages;
  /** Moves the focus that the bar had. */
  readonly onEnd: () => void;
}

/** What can be done with the selected messages; takes the place of the composer. */
export function SelectedMessagesBar({ selected, onEnd }: SelectedMessagesBarProps) {
  const t = useT();
  const { files } = useWarren();
  const library = useStore(files.store, (stored) => stored);
  const copyText = useCopyText();
  const forward = useForward();
  const { messages, clear } = selected;
  const end = (): void => {
    clear();
    onEnd();
  };
  const deleteMessages = useDeleteMessages(end);
  const texts = messages.flatMap((message) =>
    message.type === "text" && !message.deleted ? message.data : [],
  );
  const items = messages
    .filter((message) =>
      message.type === "text" ? !message.deleted : isStoredWhole(library.get(message.file.fid)),
    )
    .map(forwardItemOf);
  const count = messages.length;
  useEffect(() => tellSelected("selected messages", count), [count]);
  return (
    <div
      role="toolbar"
      aria-label={t("conversation.selected", { count })}
      className="border-line border-t bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto flex min-h-14 max-w-[792px] flex-wrap items-center gap-1 px-4 py-2 max-md:px-2">
        <p className="grow px-1 font-medium text-body tabular-nums max-md:basis-full">
          {t("conversation.selected", { count })}
        </p>
        {texts.length > 0 && (
          <Button variant="ghost" icon={CopyIcon} onClick={() => void copyText(texts.join("\n"))}>
            {t("common.copy")}
          </Button>
        )}
        {items.length > 0 && (
          <Button
            variant="ghost"
            icon={ForwardIcon}
            onClick={() => void forward(items).then((wasSent) => wasSent && end())}
          >
            {t("common.forward")}
          </Button>
        )}
        <Button variant="danger-text" icon={DeleteIcon} onClick={() => deleteMessages(messages)}>
          {t("common.delete")}
        </Button>
        <IconButton
          icon={CloseIcon}
          label={t("conversation.endSelecting")}
          tooltipSide="top"
          className="max-md:ml-auto"
          onClick={end}
        />
      </div>
    </div>
  );
}
