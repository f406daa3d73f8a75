import type { ChatMessage } from "@warren/core";
import { useCopyText } from "../../components/use-copy-text.ts";
import type { ForwardItem } from "../../dialogs/forward/forward-item.ts";
import { useForward } from "../../dialogs/forward/use-forward.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { CopyIcon, DeleteIcon, ForwardIcon } from "../../ui/icons.tsx";
import { useKept } from "./use-kept.ts";

interface MessageActionsProps {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  readonly onDelete: () => void;
}

/** The strip beside a message under the pointer or with the focus; on a phone it stands over the message. */
export function MessageActions({ message, isMine, onDelete }: MessageActionsProps) {
  const t = useT();
  const copyText = useCopyText();
  const forward = useForward();
  const isKept = useKept(message);
  return (
    <div
      role="toolbar"
      aria-label={t("conversation.messageActions")}
      className={cx(
        "absolute z-1 flex rounded-control md:top-1/2 md:-translate-y-1/2",
        "max-md:bottom-full max-md:mb-0.5 max-md:bg-raised max-md:shadow-menu",
        isMine ? "max-md:right-0 md:right-full md:mr-1" : "max-md:left-0 md:left-full md:ml-1",
      )}
    >
      {message.type === "text" && (
        <IconButton
          size="sm"
          iconSize={16}
          icon={CopyIcon}
          label={t("conversation.copyText")}
          tooltipSide="top"
          onClick={() => void copyText(message.data)}
        />
      )}
      {(message.type === "text" || isKept) && (
        <IconButton
          size="sm"
          iconSize={16}
          icon={ForwardIcon}
          label={t("conversation.forward")}
          tooltipSide="top"
          onClick={() => void forward([itemOf(message)])}
        />
      )}
      <IconButton
        size="sm"
        iconSize={16}
        icon={DeleteIcon}
        label={t("conversation.deleteMessage")}
        tooltipSide="top"
        onClick={onDelete}
      />
    </div>
  );
}

function itemOf(message: ChatMessage): ForwardItem {
  if (message.type === "text") return { type: "text", text: message.data };
  const { fid, fileName } = message.file;
  return { type: "cache", fid, fileName };
}
