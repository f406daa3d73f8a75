import type { ConversationId } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { useRef, useState } from "react";
import { countFiles, openOffers } from "../files/save/open-offers.ts";
import { useAcceptOffers } from "../files/save/use-accept-offers.ts";
import { useIsGiverAway } from "../files/use-is-giver-away.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { useOption, useProfile, useStore, useWarren } from "../wiring/warren-context.ts";

/**
 * Accepts all pending offers of a conversation at once; shown for more than one. Its space stays until the next message, which moves
 * the log anyway: accepting moves nothing.
 */
export function OffersBar({ conversationId }: { readonly conversationId: ConversationId }) {
  const t = useT();
  const format = useFormat();
  const acceptOffers = useAcceptOffers();
  const keepReceived = useOption("keepReceived");
  const isGiverAway = useIsGiverAway(conversationId);
  const { chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const maxFileSize = useOption("maxFileSize");
  const bar = useRef<HTMLDivElement>(null);
  const messages = useStore(chat.store, (state) => state.conversations[conversationId]?.messages);
  const offers = openOffers(messages ?? [], selfId, maxFileSize);
  const isShown = offers.length > 1;
  const count = messages?.length ?? 0;
  const [countWhenShown, setCountWhenShown] = useState<number | null>(null);
  if (isShown && countWhenShown !== count) setCountWhenShown(count);
  if (!isShown && countWhenShown !== count) return null;
  const size = format.size(offers.reduce((sum, { file }) => sum + contentSizeOf(file), 0));
  const acceptAll = (): void => {
    // The button is removed when pressed.
    bar.current?.closest("section")?.querySelector<HTMLElement>("[role=log]")?.focus();
    void acceptOffers(offers, keepReceived ? "keep" : "save");
  };
  return (
    <div
      ref={bar}
      className="border-line border-t bg-surface"
      style={isShown ? undefined : { visibility: "hidden" }}
    >
      <div className="mx-auto max-w-[792px] px-4 py-2">
        {/* As wide as the cards that it is for. */}
        <div className="flex items-center gap-3 md:max-w-[400px]">
          <p className="min-w-0 flex-1 text-compact text-text-2">
            {t("offers.waiting", { count: countFiles(offers), size })}
          </p>
          <Button size="sm" variant={isGiverAway ? "secondary" : "primary"} onClick={acceptAll}>
            {t(keepReceived ? "offers.keepAll" : "offers.saveAll")}
          </Button>
        </div>
      </div>
    </div>
  );
}
