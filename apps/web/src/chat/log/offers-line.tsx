import { type ConversationId, everyone } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { useRef, useState } from "react";
import { countFiles, openOffers } from "../../files/save/open-offers.ts";
import { useAcceptOffers } from "../../files/save/use-accept-offers.ts";
import { useIsGiverAway } from "../../files/use-is-giver-away.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useOption, useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";

/**
 * Accepts all pending offers of a conversation at once; shown for more than one, below its last message. Accepting moves nothing: the
 * line stays without its button until the next message, which moves the log anyway.
 */
export function OffersLine({ conversationId }: { readonly conversationId: ConversationId }) {
  const t = useT();
  const format = useFormat();
  const acceptOffers = useAcceptOffers();
  const keepReceived = useOption("keepReceived");
  const isGiverAway = useIsGiverAway(conversationId);
  const isBlocked = usePerson(conversationId).trustLevel === "blocked";
  const { chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const maxFileSize = useOption("maxFileSize");
  const line = useRef<HTMLDivElement>(null);
  const messages = useStore(chat.store, (state) => state.conversations[conversationId]?.messages);
  const offers = openOffers(messages ?? [], selfId, maxFileSize);
  const areMany = offers.length > 1 && !isBlocked;
  const [wereMany, setWereMany] = useState(areMany);
  if (areMany && !wereMany) setWereMany(true);
  if (!wereMany) return null;
  const count = countFiles(offers);
  const size = format.size(offers.reduce((sum, { file }) => sum + contentSizeOf(file), 0));
  const acceptAll = (): void => {
    // The button is removed when pressed.
    line.current?.closest<HTMLElement>("[role=log]")?.focus();
    void acceptOffers(offers, keepReceived ? "keep" : "save");
  };
  return (
    <div
      ref={line}
      className={cx(
        "on-picture mt-2 flex min-h-7 w-[400px] max-w-[min(100%,var(--message-width))] items-center gap-3 touch:min-h-11",
        // As the cards are, beside the pictures of who offers them.
        conversationId === everyone && "ml-9",
      )}
    >
      <p className="min-w-0 flex-1 px-1 text-compact text-text-2">
        {count === 0 ? t("offers.none") : t("offers.waiting", { count, size })}
      </p>
      {areMany && (
        <Button size="sm" variant={isGiverAway ? "secondary" : "primary"} onClick={acceptAll}>
          {t(keepReceived ? "offers.keepAll" : "offers.saveAll")}
        </Button>
      )}
    </div>
  );
}
