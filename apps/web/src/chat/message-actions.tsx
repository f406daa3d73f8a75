import type { ChatMessage, FileMessage } from "@warren/core";
import { useLayoutEffect, useRef, useState } from "react";
import { useForward } from "../files/forward/forward-dialog.tsx";
import type { ForwardItem } from "../files/forward/forward-item.ts";
import { useCopyPicture } from "../files/use-copy-picture.ts";
import { useIsStored } from "../files/use-is-stored.ts";
import { useSaveFiles } from "../files/use-save-files.ts";
import { useT } from "../i18n/use-t.ts";
import { claimsPicture } from "../people/picture-type.ts";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CopyIcon, DeleteIcon, EditIcon, ForwardIcon, ReplyIcon, SaveIcon, ShowIcon } from "../ui/icons.ts";
import { useCopyText } from "../ui/use-copy-text.ts";
import { useWarren } from "../ui/warren-context.tsx";
import { usePreviewIn } from "./use-preview-in.ts";

/** Distance between the strip and the bubble. */
const marginPx = 4;

interface MessageActionsProps {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  /** Null where nothing can be answered. */
  readonly onReply: (() => void) | null;
  /** Null for what cannot be edited. */
  readonly onEdit: (() => void) | null;
  readonly onDelete: () => void;
}

/**
 * The action strip beside a hovered or focused message. If there is no space beside it, the strip hangs from
 * the lower edge at the far side, where it covers the least.
 */
export function MessageActions({ message, isMine, onReply, onEdit, onDelete }: MessageActionsProps) {
  const t = useT();
  const copyText = useCopyText();
  const forward = useForward();
  const isStored = useIsStored(message.type === "file" ? message.file.fid : null);
  const strip = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const measure = (): void => {
      const bubble = strip.current?.parentElement;
      const row = bubble?.parentElement;
      if (!strip.current || !bubble || !row) return;
      setFits(strip.current.offsetWidth + marginPx <= row.offsetWidth - bubble.offsetWidth);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return (
    <div
      ref={strip}
      role="toolbar"
      aria-label={t("conversation.messageActions")}
      className={cx(
        "absolute z-1 flex rounded-control",
        fits ? "top-1/2 -translate-y-1/2" : "top-full -mt-2 bg-raised shadow-menu",
        fits ? (isMine ? "right-full mr-1" : "left-full ml-1") : isMine ? "left-0" : "right-0",
      )}
    >
      {onReply !== null && (
        <IconButton
          size="sm"
          iconSize={16}
          icon={ReplyIcon}
          label={t("conversation.reply")}
          shortcut="R"
          tooltipSide="top"
          onClick={onReply}
        />
      )}
      {onEdit !== null && (
        <IconButton
          size="sm"
          iconSize={16}
          icon={EditIcon}
          label={t("conversation.edit")}
          shortcut="E"
          tooltipSide="top"
          onClick={onEdit}
        />
      )}
      {message.type === "text" && !message.deleted && (
        <IconButton
          size="sm"
          iconSize={16}
          icon={CopyIcon}
          label={t("conversation.copyText")}
          tooltipSide="top"
          onClick={() => void copyText(message.data)}
        />
      )}
      {message.type === "file" && isStored && isPicture(message) && <PictureActions message={message} />}
      {((message.type === "text" && !message.deleted) || isStored) && (
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

function isPicture({ file }: FileMessage): boolean {
  return file.tree === undefined && claimsPicture(file);
}

/** The actions for a complete picture, which is shown without a card and its buttons. */
function PictureActions({ message }: { readonly message: FileMessage }) {
  const t = useT();
  const { files } = useWarren();
  const preview = usePreviewIn(message);
  const copyPicture = useCopyPicture();
  const save = useSaveFiles();
  const { file } = message;
  const look = { size: "sm", iconSize: 16, tooltipSide: "top" } as const;
  return (
    <>
      <IconButton {...look} icon={ShowIcon} label={t("file.preview")} onClick={() => preview()} />
      {copyPicture !== null && (
        <IconButton
          {...look}
          icon={CopyIcon}
          label={t("conversation.copyPicture")}
          onClick={() => void copyPicture(() => files.open(file.fid))}
        />
      )}
      <IconButton {...look} icon={SaveIcon} label={t("file.save")} onClick={() => void save([file])} />
    </>
  );
}

function itemOf(message: ChatMessage): ForwardItem {
  if (message.type === "text") return { type: "text", text: message.data };
  const { fid, fileName } = message.file;
  return { type: "cache", fid, fileName };
}
