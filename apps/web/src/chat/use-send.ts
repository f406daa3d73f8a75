import type { ConversationId, PickedTree } from "@warren/core";
import { useMemo } from "react";
import { useSizeQuestion } from "../files/use-size-question.tsx";
import { useFormat } from "../i18n/format.ts";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import type { ReadableFolder } from "../platform/folder-on-disk.ts";
import { toast } from "../ui/toaster.tsx";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";
import type { IncomingItems } from "./incoming-items.ts";
import { readFolder } from "./read-folder.ts";
import { usePartner } from "./use-partner.ts";

/** Reading a folder that takes less than this shows no toast. */
const readingSilenceMs = 500;
/** Maximum number of names in a sentence. */
const namedMax = 3;

/** Sends into a conversation; failures are shown in a toast, so nothing here rejects. */
export interface Send {
  /** @returns whether the message was created; otherwise the text can be restored. */
  text(text: string): Promise<boolean>;
  items(items: IncomingItems): Promise<void>;
  /** Sends a text to the others' clipboard inbox. */
  clipboard(text: string): void;
}

export function useSend(conversationId: ConversationId): Send {
  const t = useT();
  const format = useFormat();
  const run = useRun();
  const { chat } = useWarren();
  const askSize = useSizeQuestion();
  const { isRoom, firstName } = usePartner(conversationId);
  return useMemo(() => {
    const offerTree = async (tree: PickedTree): Promise<void> => {
      const size = tree.files.reduce((sum, { file }) => sum + file.size, 0);
      await askSize("send", [size], (options) => chat.sendTree(conversationId, tree, options));
    };
    const sendTree = (tree: PickedTree): Promise<boolean> =>
      run(() => offerTree(tree), t("toast.sendFailed", { file: tree.name }));

    const sendFolder = async (folder: ReadableFolder): Promise<void> => {
      const { name } = folder;
      const reading = setTimeout(() => announceReading(name, t), readingSilenceMs);
      await run(
        async () => {
          const { tree, leftOut } = await readFolder(folder);
          await offerTree(tree);
          if (leftOut.length > 0)
            toast.warning(t("folders.leftOut", { count: leftOut.length }), {
              description: format.list(leftOut.slice(0, namedMax)),
            });
        },
        t("toast.sendFailed", { file: name }),
      );
      clearTimeout(reading);
      toast.dismiss(readingToast(name));
    };

    return {
      text: (text) => run(() => chat.sendText(conversationId, text)),
      async items({ files, folders }) {
        for (const folder of folders) await sendFolder(folder);
        // Several files are one offer: accepted, shown and sent together.
        if (files.length > 1) {
          const picked = files.map((file) => ({ path: file.name, file }));
          const arePictures = files.every(({ type }) => type.startsWith("image/"));
          const name = t(arePictures ? "common.pictures" : "common.files", { count: files.length });
          await sendTree({ kind: "files", name, files: picked, emptyFolders: [] });
          return;
        }
        const sizes = files.map(({ size }) => size);
        await askSize("send", sizes, async (options) => {
          for (const file of files) {
            const send = () => chat.sendFile(conversationId, file, options);
            await run(send, t("toast.sendFailed", { file: file.name }));
          }
        });
      },
      clipboard(text) {
        const sent = isRoom
          ? t("composer.clipboardSentEveryone")
          : t("composer.clipboardSent", { name: firstName });
        void run(async () => {
          await chat.sendClipboard(conversationId, text);
          toast.success(sent);
        });
      },
    };
  }, [t, format, run, chat, askSize, conversationId, isRoom, firstName]);
}

function readingToast(name: string): string {
  return `reading ${name}`;
}

function announceReading(name: string, t: Translate): void {
  toast.loading(t("folders.reading", { name }), { id: readingToast(name) });
}
