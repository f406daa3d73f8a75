import type { ChatMessage, FileMessage } from "@warren/core";
import { forward } from "../../../files/forward/forward.ts";
import { saveStoredFiles } from "../../../files/save/save-stored-files.ts";
import { useCopyPicture } from "../../../files/use-copy-picture.ts";
import { useIsStored } from "../../../files/use-is-stored.ts";
import { useT } from "../../../i18n/use-t.ts";
import { claimsPicture } from "../../../pictures/picture-type.ts";
import { forwardItemOf } from "../../../tab/forward-item.ts";
import { useTab } from "../../../tab/tab-context.ts";
import {
  CopyIcon,
  DeleteIcon,
  EditIcon,
  ForwardIcon,
  type Icon,
  ReplyIcon,
  SaveIcon,
  SelectIcon,
  ShowIcon,
} from "../../../ui/icons.ts";
import { usePlatform } from "../../../wiring/platform-context.ts";
import { useCopyText } from "../../../wiring/use-copy-text.ts";
import { useProfile, useWarren } from "../../../wiring/warren-context.ts";
import { canEdit, canReply } from "../message-rules.ts";
import { useConversationPreview } from "../use-conversation-preview.ts";

/** Something to do with a message. */
export interface MessageAction {
  readonly icon: Icon;
  readonly label: string;
  readonly shortcut?: string;
  readonly run: () => void;
}

/** What the log does with one of its messages. */
export interface LogActions {
  readonly onSelect: () => void;
  readonly onDelete: () => void;
}

/** What can be done with a message: what most people come for, then the rest in order, and what cannot be undone. */
export interface MessageActionList {
  /** Null if it cannot be answered. */
  readonly reply: MessageAction | null;
  readonly others: readonly MessageAction[];
  readonly remove: MessageAction;
}

export function useMessageActions(
  message: ChatMessage,
  { onSelect, onDelete }: LogActions,
): MessageActionList {
  const t = useT();
  const warren = useWarren();
  const platform = usePlatform();
  const { drafts } = useTab();
  const { clientId: selfId } = useProfile();
  const copyText = useCopyText();
  const copyPicture = useCopyPicture();
  const preview = useConversationPreview();
  const isStored = useIsStored(message.type === "file" ? message.file.fid : null);
  const { conversation, key } = message;
  const text = message.type === "text" && !message.deleted ? message : null;
  // A complete picture is shown without a card and its buttons.
  const picture = message.type === "file" && isStored && isPicture(message) ? message : null;
  const others: readonly (MessageAction | false | null)[] = [
    canEdit(message, selfId) && {
      icon: EditIcon,
      label: t("conversation.edit"),
      shortcut: "E",
      run: () => drafts.edit(conversation, key, message.data),
    },
    text !== null &&
      !text.clipboard && {
        icon: CopyIcon,
        label: t("conversation.copyText"),
        run: () => void copyText(text.data),
      },
    picture && { icon: ShowIcon, label: t("file.preview"), run: () => preview(picture) },
    picture &&
      copyPicture && {
        icon: CopyIcon,
        label: t("conversation.copyPicture"),
        run: () => void copyPicture(() => warren.files.open(picture.file.fid)),
      },
    picture && {
      icon: SaveIcon,
      label: t("file.save"),
      run: () => void saveStoredFiles(warren.files, platform, [picture.file]),
    },
    message.type !== "call" &&
      (text !== null || isStored) && {
        icon: ForwardIcon,
        label: t("conversation.forward"),
        run: () => void forward(warren, [forwardItemOf(message)]),
      },
    { icon: SelectIcon, label: t("conversation.select"), shortcut: "X", run: onSelect },
  ];
  return {
    reply: canReply(message)
      ? {
          icon: ReplyIcon,
          label: t("conversation.reply"),
          shortcut: "R",
          run: () => drafts.replyTo(conversation, key),
        }
      : null,
    others: others.filter((action) => action !== false && action !== null),
    remove: { icon: DeleteIcon, label: t("conversation.deleteMessage"), run: onDelete },
  };
}

function isPicture({ file }: FileMessage): boolean {
  return file.tree === undefined && claimsPicture(file);
}
