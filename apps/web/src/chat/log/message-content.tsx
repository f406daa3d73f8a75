import type { FileMessage, TextMessage } from "@warren/core";
import type { FileId } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import { FileCard } from "../../files/card/file-card.tsx";
import { useIsStored } from "../../files/use-is-stored.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { ClipboardText } from "../message/clipboard-text.tsx";
import { showsPicture } from "../message/message-rules.ts";
import { PictureMessage } from "../message/picture-message.tsx";
import { usePictureWidth } from "../message/picture-shape.ts";
import { Quote } from "../message/quote.tsx";
import { MessageText } from "../message/text/message-text.tsx";
import { useConversationPreview } from "../message/use-conversation-preview.ts";
import { CallLine } from "./call-line.tsx";
import type { LogRow } from "./log-rows.ts";

interface MessageContentProps {
  readonly row: Omit<LogRow, "day" | "newCount">;
  readonly onDelete: () => void;
}

/** What a message says: a line for a call, a bubble for a text, a card or a picture for a file. */
export function MessageContent({ row, onDelete }: MessageContentProps) {
  const { message, isMine, captionOf } = row;
  if (message.type === "call") return <CallLine message={message} />;
  if (message.type === "file") return <FileContent row={row} message={message} onDelete={onDelete} />;
  return captionOf === null ? (
    <Bubble row={row} message={message} />
  ) : (
    <Caption of={captionOf} text={message.data} isMine={isMine} />
  );
}

interface BubbleProps extends Pick<MessageContentProps, "row"> {
  readonly message: TextMessage;
}

function Bubble({ row: { isMine, joinsAbove, joinsBelow, closes }, message }: BubbleProps) {
  const { quote, conversation } = message;
  return (
    <div
      className={cx(
        "rounded-bubble px-[13px] py-2 forced-colors:border",
        isMine ? "bg-bubble-own" : "bg-sunken",
        joinsAbove && (isMine ? "rounded-tr-[5px]" : "rounded-tl-[5px]"),
        joinsBelow && (isMine ? "rounded-br-[5px]" : "rounded-bl-[5px]"),
      )}
    >
      {quote !== undefined && <Quote messageKey={quote} conversationId={conversation} />}
      <Words message={message} isLast={closes} />
    </div>
  );
}

function Words({ message, isLast }: { readonly message: TextMessage; readonly isLast: boolean }) {
  const t = useT();
  if (message.deleted) return <p className="text-message text-text-2">{t("conversation.deleted")}</p>;
  return message.clipboard ? (
    <ClipboardText message={message} isLast={isLast} />
  ) : (
    <MessageText text={message.data} />
  );
}

interface CaptionProps {
  readonly of: FileId;
  readonly text: string;
  readonly isMine: boolean;
}

/** The lower part of a picture's bubble. */
function Caption({ of, text, isMine }: CaptionProps) {
  return (
    <div
      style={{ width: usePictureWidth(of) }}
      className={cx(
        "max-w-full rounded-b-bubble px-[13px] py-2 forced-colors:border",
        isMine ? "bg-bubble-own" : "bg-sunken",
      )}
    >
      <MessageText text={text} />
    </div>
  );
}

interface FileContentProps extends MessageContentProps {
  readonly message: FileMessage;
}

function FileContent({ row, message, onDelete }: FileContentProps) {
  const { isMine, joinsAbove, joinsBelow, hasCaption } = row;
  const previewInConversation = useConversationPreview();
  const preview = (entry?: TreeFile): void => previewInConversation(message, entry);
  const isStored = useIsStored(message.file.fid) && message.file.tree === undefined;
  const card = (onPreview = isStored ? () => preview() : undefined) => (
    <FileCard
      message={message}
      isMine={isMine}
      joinsAbove={joinsAbove}
      joinsBelow={joinsBelow}
      onDelete={onDelete}
      onPreview={onPreview}
      onPreviewEntry={preview}
    />
  );
  if (!showsPicture(message, isMine)) return card();
  return (
    <PictureMessage message={message} hasCaption={hasCaption} onOpen={() => preview()} fallback={card} />
  );
}
