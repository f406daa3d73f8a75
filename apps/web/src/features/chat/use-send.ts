import type { ConversationId } from "@warren/core";
import { useMemo } from "react";
import { useRun } from "../../components/use-run.ts";
import { useWarren } from "../../components/warren-context.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { toast } from "../../ui/toaster.tsx";
import type { IncomingItems } from "./incoming-items.ts";
import { usePartner } from "./use-partner.ts";

/** The ways to send into a conversation; what fails is told in a toast, so nothing here rejects. */
export interface Send {
  /** @returns whether it was written; a text that was not can be written again. */
  text(text: string): Promise<boolean>;
  items(items: IncomingItems): Promise<void>;
  /** Puts a text into the others' clipboard inbox. */
  clipboard(text: string): void;
}

/** Sends into a conversation. */
export function useSend(conversationId: ConversationId): Send {
  const t = useT();
  const format = useFormat();
  const run = useRun();
  const { chat } = useWarren();
  const { isRoom, firstName } = usePartner(conversationId);
  return useMemo(
    () => ({
      text: (text) => run(() => chat.sendText(conversationId, text)),
      async items({ files, folders }) {
        if (folders.length > 0) {
          toast.warning(t("composer.foldersNotYet", { name: format.list(folders) }));
        }
        for (const file of files) {
          await run(() => chat.sendFile(conversationId, file), t("toast.sendFailed", { file: file.name }));
        }
      },
      clipboard(text) {
        const sent = isRoom
          ? t("composer.clipboardSentEveryone")
          : t("composer.clipboardSent", { name: firstName });
        void run(() => {
          chat.sendClipboard(conversationId, text);
          toast.success(sent);
        });
      },
    }),
    [t, format, run, chat, conversationId, isRoom, firstName],
  );
}
