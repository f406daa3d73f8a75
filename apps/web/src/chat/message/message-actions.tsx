import type { ChatMessage, FileMessage } from "@warren/core";
import {
  type ReactNode,
  type SyntheticEvent,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
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
import { InSheet, StripButton } from "./strip-button.tsx";
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
  /** They open over the page with their words, as they do after a long press. */
  readonly isSheet: boolean;
  readonly canReact: boolean;
  /** Null where nothing can be answered. */
  readonly onReply: (() => void) | null;
  /** Null for what cannot be edited. */
  readonly onEdit: (() => void) | null;
  readonly onSelect: () => void;
  readonly onDelete: () => void;
}

/** The actions for a message: a strip beside it, or a sheet at the foot of the window. */
export function MessageActions({ isSheet, isMine, ...parts }: MessageActionsProps) {
  return isSheet ? (
    <ActionSheet>
      <Actions {...parts} />
    </ActionSheet>
  ) : (
    <ActionStrip isMine={isMine}>
      <Actions {...parts} />
    </ActionStrip>
  );
}

/**
 * The strip beside a hovered or focused message. If there is no space beside it, the strip hangs from
 * the lower edge, at the far side if the bubble is wide enough: there it covers the least.
 */
function ActionStrip({ isMine, children }: { readonly isMine: boolean; readonly children: ReactNode }) {
  const t = useT();
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
      {children}
    </div>
  );
}

/** Closed by the next tap anywhere, as the strip is. */
function ActionSheet({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // Screen readers find it at the end of the page only so.
    sheet.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: what is touched here is no touch of the message, which React takes for its parent
    <div onPointerDown={stop} onPointerMove={stop} onPointerUp={stop} onFocus={stop} onBlur={stop}>
      <div aria-hidden="true" className="fixed inset-0 z-dialog bg-scrim animate-fade-in" />
      <div
        ref={sheet}
        role="toolbar"
        aria-label={t("conversation.messageActions")}
        aria-orientation="vertical"
        tabIndex={-1}
        className="fixed inset-x-0 bottom-0 z-dialog mx-auto max-h-[92dvh] max-w-[440px] overflow-y-auto rounded-t-sheet bg-raised px-2 pt-2 pb-[max(12px,env(safe-area-inset-bottom))] text-text shadow-dialog outline-none animate-sheet-in"
      >
        <InSheet value>{children}</InSheet>
      </div>
    </div>,
    // Inside the page's main part, where screen readers look for it.
    document.querySelector("main") ?? document.body,
  );
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation();
}

function Actions({
  message,
  canReact,
  onReply,
  onEdit,
  onSelect,
  onDelete,
}: Omit<MessageActionsProps, "isMine" | "isSheet">) {
  const t = useT();
  const inSheet = use(InSheet);
  const copyText = useCopyText();
  const forward = useForward();
  const isStored = useIsStored(message.type === "file" ? message.file.fid : null);
  return (
    <>
      {canReact && (
        <div className={cx("flex", inSheet && "mb-1 justify-between border-line border-b pb-1")}>
          <InSheet value={false}>
            <QuickReactions message={message} />
          </InSheet>
        </div>
      )}
      <div className={cx("flex", inSheet && "flex-col")}>
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
    </>
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
