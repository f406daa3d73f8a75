import {
  type ConversationId,
  everyone,
  type MessageKey,
  type OfferOptions,
  type PickedTree,
} from "@warren/core";
import { type RoomTag, WarrenError } from "@warren/protocol";
import { askSize } from "../../files/save/size-question.ts";
import { useFormat } from "../../i18n/format.ts";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { usePartner } from "../../people/use-partner.ts";
import type { ReadableFolder } from "../../platform/files/folder-on-disk.ts";
import type { IncomingItems } from "../../platform/files/incoming-items.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { readFolder } from "./read-folder.ts";

/** Reading a folder that takes less than this shows no toast. */
const readingSilenceMs = 500;
/** Maximum number of names in a sentence. */
const namedMax = 3;

/** Sends into a conversation; failures are shown in a toast, so nothing here rejects. */
export interface Send {
  /** @returns whether the message was created. */
  text(text: string, replyTo?: MessageKey): Promise<boolean>;
  /** Replaces one of my texts for everybody. @returns whether that worked. */
  edit(key: MessageKey, text: string): Promise<boolean>;
  /**
   * `room`: the room we were in when the user sent them; what is for everyone there goes to no other room.
   * @returns those that were not sent, because that failed or the user cancelled.
   */
  items(items: IncomingItems, room?: RoomTag): Promise<IncomingItems>;
  /** Sends a text to the others' clipboard inbox; `room` as in `items`. @returns whether it was sent. */
  clipboard(text: string, room?: RoomTag): Promise<boolean>;
}

export function useSend(conversationId: ConversationId): Send {
  const t = useT();
  const format = useFormat();
  const { chat, settings } = useWarren();
  const { isRoom, firstName } = usePartner(conversationId);
  const requireRoom = (room: RoomTag): void => {
    if (conversationId === everyone && chat.store.getState().room !== room)
      throw new WarrenError("no-session", { id: everyone });
  };
  /** Runs `send`, unless the user cancels because of the size. @returns whether it was sent. */
  const offer = async (
    room: RoomTag,
    name: string,
    sizeBytes: number,
    send: (options: OfferOptions | undefined) => Promise<void>,
  ): Promise<boolean> => {
    const options = await askSize(settings, "send", [sizeBytes]);
    if (options === "cancelled") return false;
    const sendHere = () => {
      requireRoom(room);
      return send(options);
    };
    return withErrorToast(sendHere, t("toast.sendFailed", { file: name }));
  };
  const sendTree = (room: RoomTag, tree: PickedTree, shownName = tree.name): Promise<boolean> => {
    const size = tree.files.reduce((sum, { file }) => sum + file.size, 0);
    return offer(room, shownName, size, (options) => chat.sendTree(conversationId, tree, options));
  };

  const readAnnounced = async (folder: ReadableFolder) => {
    const reading = setTimeout(() => announceReading(folder.name, t), readingSilenceMs);
    try {
      return await readFolder(folder);
    } finally {
      clearTimeout(reading);
      toast.dismiss(readingToast(folder.name));
    }
  };
  const sendFolder = async (room: RoomTag, folder: ReadableFolder): Promise<boolean> => {
    let isSent = false;
    await withErrorToast(
      async () => {
        const { tree, leftOut } = await readAnnounced(folder);
        isSent = await sendTree(room, tree);
        if (isSent && leftOut.length > 0)
          toast.warning(t("folders.leftOut", { count: leftOut.length }), {
            description: format.list(leftOut.slice(0, namedMax)),
          });
      },
      t("toast.sendFailed", { file: folder.name }),
    );
    return isSent;
  };

  /** Several files are one offer: accepted, shown and sent together. */
  const sendFiles = (room: RoomTag, files: readonly File[]): Promise<boolean> => {
    const [file, ...others] = files;
    if (file === undefined) return Promise.resolve(true);
    if (others.length === 0)
      return offer(room, file.name, file.size, (options) => chat.sendFile(conversationId, file, options));
    const picked = files.map((each) => ({ path: each.name, file: each }));
    const shownName = t("common.nameAndMore", { name: file.name, count: others.length });
    return sendTree(room, { kind: "files", name: file.name, files: picked, emptyFolders: [] }, shownName);
  };

  return {
    edit: (key, text) => withErrorToast(() => chat.editText(key, text)),
    text: (text, replyTo) => withErrorToast(() => chat.sendText(conversationId, text, replyTo)),
    async items({ files, folders }, room = chat.store.getState().room) {
      const unsent: ReadableFolder[] = [];
      for (const folder of folders) if (!(await sendFolder(room, folder))) unsent.push(folder);
      return { folders: unsent, files: (await sendFiles(room, files)) ? [] : files };
    },
    clipboard(text, room = chat.store.getState().room) {
      const sent = isRoom
        ? t("composer.clipboardSentEveryone")
        : t("composer.clipboardSent", { name: firstName });
      return withErrorToast(async () => {
        requireRoom(room);
        await chat.sendClipboard(conversationId, text);
        toast.success(sent);
      });
    },
  };
}

function readingToast(name: string): string {
  return `reading ${name}`;
}

function announceReading(name: string, t: Translate): void {
  toast.loading(t("folders.reading", { name }), { id: readingToast(name) });
}
