import { type ConversationId, everyone } from "@warren/core";
import { isBlank, type RoomTag } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { isEveryoneReachable, usePartner } from "../../people/use-partner.ts";
import type { IncomingItems } from "../../platform/files/incoming-items.ts";
import type { FilePick } from "../../platform/files/picked-files.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { AddIcon, FileIcon, FolderIcon, ImageIcon, PhotoIcon, SendClipboardIcon } from "../../ui/icons.ts";
import { Menu, MenuItem } from "../../ui/overlays/menu.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { printedKeys } from "../../wiring/shortcuts/printed-keys.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { goesToInbox, pasteOf } from "./paste.ts";
import type { Send } from "./use-send.ts";
import { useTakePaste } from "./use-take-paste.ts";

interface ClipboardButtonProps {
  readonly conversationId: ConversationId;
  /** Sends a text to the others' clipboard. */
  readonly onClipboard: (text: string, room: RoomTag) => Promise<void>;
}

/** Reads the clipboard on the user's request: its text is sent, its pictures are attached to the draft. */
function useSendClipboard({ conversationId, onClipboard }: ClipboardButtonProps): () => Promise<void> {
  const t = useT();
  const { readClipboard } = usePlatform();
  const { chat } = useWarren();
  const { drafts } = useTab();
  const partner = usePartner(conversationId);
  const takePaste = useTakePaste(conversationId);
  return async () => {
    const { room } = chat.store.getState();
    const read = await readClipboard();
    if (read.status === "unsupported")
      toast.error(t("unsupported.clipboard"), { description: t("unsupported.https") });
    else if (read.status === "denied") toast.error(printedKeys(t("composer.clipboardDenied")));
    else {
      const { text, html, files } = read;
      const paste = pasteOf({ text, html, items: { files, folders: [] } });
      takePaste(paste, room);
      if (isBlank(paste.text)) return;
      if (goesToInbox(paste, partner)) await onClipboard(paste.text, room);
      else drafts.appendText(drafts.inRoom(room, conversationId), paste.text);
    }
  };
}

interface AttachMenuProps extends ClipboardButtonProps {
  readonly send: Send;
}

/**
 * The button for sending anything besides text. Picked items go to the conversation they were picked for,
 * whichever is open and whatever room we are in by then; if nobody can receive them, they are attached to its draft.
 */
export function AttachMenu({ conversationId, send, onClipboard }: AttachMenuProps) {
  const t = useT();
  const warren = useWarren();
  const { chat } = warren;
  const { drafts } = useTab();
  const sendClipboard = useSendClipboard({ conversationId, onClipboard });
  const { pickFiles, pickFolder } = usePlatform();
  const isTouch = useMediaQuery("(pointer: coarse)");
  const pass = async (items: IncomingItems, pickedIn: RoomTag): Promise<void> => {
    const draft = drafts.inRoom(pickedIn, conversationId);
    const isForNobody = conversationId === everyone && !isEveryoneReachable(warren);
    if (isForNobody || draft !== conversationId) drafts.attach(draft, items);
    else await send.items(items, pickedIn);
  };
  // A file may disappear between being picked and being opened.
  const sendFiles = (pick: FilePick = {}) => {
    const pickedIn = chat.store.getState().room;
    return withErrorToast(async () => {
      const files = await pickFiles({ multiple: true, ...pick });
      await pass({ files, folders: [] }, pickedIn);
    });
  };
  const sendFolder = () => {
    const pickedIn = chat.store.getState().room;
    return withErrorToast(async () => {
      const folder = await pickFolder();
      if (folder !== null) await pass({ files: [], folders: [folder] }, pickedIn);
    });
  };
  return (
    <Menu
      align="start"
      side="top"
      distance={12}
      trigger={<IconButton icon={AddIcon} iconSize={20} label={t("composer.attach")} tooltipSide="top" />}
    >
      {isTouch && (
        <>
          <MenuItem icon={ImageIcon} onSelect={() => void sendFiles({ accept: "image/*,video/*" })}>
            {t("composer.photo")}
          </MenuItem>
          <MenuItem
            icon={PhotoIcon}
            onSelect={() => void sendFiles({ accept: "image/*", multiple: false, takesPhoto: true })}
          >
            {t("composer.camera")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={FileIcon} onSelect={() => void sendFiles()}>
        {t("composer.files")}
      </MenuItem>
      <MenuItem icon={FolderIcon} onSelect={() => void sendFolder()}>
        {t("composer.folder")}
      </MenuItem>
      <MenuItem icon={SendClipboardIcon} onSelect={() => void sendClipboard()}>
        {t("composer.clipboard")}
      </MenuItem>
    </Menu>
  );
}

/** Sends the clipboard's text. */
export function ClipboardButton({
  className,
  ...rest
}: ClipboardButtonProps & { readonly className: string }) {
  const t = useT();
  const sendClipboard = useSendClipboard(rest);
  return (
    <IconButton
      icon={SendClipboardIcon}
      label={t("composer.sendClipboard")}
      tooltipSide="top"
      className={className}
      onClick={() => void sendClipboard()}
    />
  );
}
