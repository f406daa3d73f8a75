import type { ChatMessage, FileMessage } from "@warren/core";
import { useLayoutEffect, useRef, useState } from "react";
import { useForward } from "../../files/forward/forward-dialog.tsx";
import { useSaveFiles } from "../../files/save/use-save-files.ts";
import { useCopyPicture } from "../../files/use-copy-picture.ts";
import { useIsStored } from "../../files/use-is-stored.ts";
import { useT } from "../../i18n/use-t.ts";
import { claimsPicture } from "../../pictures/picture-type.ts";
import { cx } from "../../ui/cx.ts";
import {
  CopyIcon,
  DeleteIcon,
  EditIcon,
  ForwardIcon,
  ReplyIcon,
  SaveIcon,
  SelectIcon,
  ShowIcon,
} from "../../ui/icons.ts";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { forwardItemOf } from "./message-subject.ts";
import { QuickReactions } from "./reactions.tsx";
import { StripButton } from "./strip-button.tsx";
import { usePreviewIn } from "./use-preview-in.ts";

/** Distance between the strip and the bubble. */
const marginPx = 4;

/** Where the strip is: beside the bubble, or below it, from its far or its near edge. */
type Position = "beside" | "far" | "near";

const positionClasses: Readonly<Record<Position, { readonly mine: string; readonly theirs: string }>> = {
  beside: { mine: "right-full mr-1", theirs: "left-full ml-1" },
  far: { mine: "left-0", theirs: "right-0" },
  near: {
    mine: "right-0 max-w-[calc(100vw-28px)]",
    theirs: "left-0 max-w-[calc(100vw-28px)]",
  },
};

interface MessageActionsProps {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  readonly canReact: boolean;
  /** Null where nothing can be answered. */
  readonly onReply: (() => void) | null;
  /** Null for what cannot be edited. */
  readonly onEdit: (() => void) | null;
  readonly onSelect: () => void;
  readonly onDelete: () => void;
}

/**
 * The action strip beside a hovered or focused message. If there is no space beside it, the strip hangs from
 * the lower edge, at the far side if the bubble is wide enough: there it covers the least.
 */
export function MessageActions({
  message,
  isMine,
  canReact,
  onReply,
  onEdit,
  onSelect,
  onDelete,
}: MessageActionsProps) {
  const t = useT();
  const copyText = useCopyText();
  const forward = useForward();
  const isStored = useIsStored(message.type === "file" ? message.file.fid : null);
  const strip = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState<Position>("beside");
  useLayoutEffect(() => {
    const measure = (): void => {
      const bubble = strip.current?.parentElement;
      const row = bubble?.parentElement;
      if (!strip.current || !bubble || !row) return;
      const widthPx = [...strip.current.children].reduce((sum, part) => sum + part.clientWidth, 0);
      const left = row.offsetWidth - bubble.offsetWidth;
      setPosition(widthPx + marginPx <= left ? "beside" : widthPx <= bubble.offsetWidth ? "far" : "near");
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
        "absolute z-2 flex w-max rounded-control",
        position === "beside" ? "top-1/2 -translate-y-1/2" : "top-full -mt-2 flex-wrap bg-raised shadow-menu",
        positionClasses[position][isMine ? "mine" : "theirs"],
      )}
    >
      {canReact && (
        <div className="flex">
          <QuickReactions message={message} />
        </div>
      )}
      <div className="flex">
        {onReply !== null && (
          <StripButton icon={ReplyIcon} label={t("conversation.reply")} shortcut="R" onClick={onReply} />
        )}
        {onEdit !== null && (
          <StripButton icon={EditIcon} label={t("conversation.edit")} shortcut="E" onClick={onEdit} />
        )}
        {message.type === "text" && !message.deleted && !message.clipboard && (
          <StripButton
            icon={CopyIcon}
            label={t("conversation.copyText")}
            onClick={() => void copyText(message.data)}
          />
        )}
        {message.type === "file" && isStored && isPicture(message) && <PictureActions message={message} />}
        {((message.type === "text" && !message.deleted) || isStored) && (
          <StripButton
            icon={ForwardIcon}
            label={t("conversation.forward")}
            onClick={() => void forward([forwardItemOf(message)])}
          />
        )}
        <StripButton icon={SelectIcon} label={t("conversation.select")} shortcut="X" onClick={onSelect} />
        <StripButton icon={DeleteIcon} label={t("conversation.deleteMessage")} onClick={onDelete} />
      </div>
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
  return (
    <>
      <StripButton icon={ShowIcon} label={t("file.preview")} onClick={() => preview()} />
      {copyPicture !== null && (
        <StripButton
          icon={CopyIcon}
          label={t("conversation.copyPicture")}
          onClick={() => void copyPicture(() => files.open(file.fid))}
        />
      )}
      <StripButton icon={SaveIcon} label={t("file.save")} onClick={() => void save([file])} />
    </>
  );
}
