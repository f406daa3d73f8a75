import type { ChatMessage, ConversationId, FileMessage } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { useRef } from "react";
import { fileStateOf } from "../file-state/file-state.ts";
import { useTakeOffers } from "../files/save/use-take-offers.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { useOption, useProfile, useStore, useWarren } from "../wiring/warren-context.tsx";

/** The pending offers of others within the size limit; larger ones are decided one by one. */
function openOffers(
  messages: readonly ChatMessage[],
  selfId: string,
  limitBytes: number,
): readonly FileMessage[] {
  return messages.filter(
    (message): message is FileMessage =>
      message.type === "file" &&
      message.client !== selfId &&
      fileStateOf(message.offers[message.client], false) === "offered" &&
      contentSizeOf(message.file) <= limitBytes,
  );
}

/** Accepts all pending offers of a conversation at once; shown for more than one. */
export function OffersBar({ conversationId }: { readonly conversationId: ConversationId }) {
  const t = useT();
  const format = useFormat();
  const takeOffers = useTakeOffers();
  const keepReceived = useOption("keepReceived");
  const { chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const maxFileSize = useOption("maxFileSize");
  const bar = useRef<HTMLDivElement>(null);
  const messages = useStore(chat.store, (state) => state.conversations[conversationId]?.messages);
  const offers = openOffers(messages ?? [], selfId, maxFileSize);
  if (offers.length < 2) return null;
  const size = format.size(offers.reduce((sum, { file }) => sum + contentSizeOf(file), 0));
  const acceptAll = (): void => {
    // The button is removed when pressed.
    bar.current?.closest("section")?.querySelector<HTMLElement>("[role=log]")?.focus();
    void takeOffers(offers, keepReceived ? "keep" : "save");
  };
  return (
    <div ref={bar} className="border-line border-t bg-surface">
      <div className="mx-auto flex max-w-[792px] items-center gap-3 px-4 py-2">
        <p className="min-w-0 flex-1 text-compact text-text-2">
          {t("offers.waiting", { count: offers.length, size })}
        </p>
        <Button size="sm" variant="primary" onClick={acceptAll}>
          {t(keepReceived ? "offers.keepAll" : "offers.saveAll")}
        </Button>
      </div>
    </div>
  );
}
