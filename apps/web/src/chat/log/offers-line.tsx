import { type ChatMessage, type ConversationId, everyone, type FileMessage } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { useRef, useState } from "react";
import { outcomeOf } from "../../file-state/file-state.ts";
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
 * line stays until the next message, which moves the log anyway, and says how many files have come.
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
  const messages = useStore(chat.store, (state) => state.conversations[conversationId]?.messages) ?? [];
  const offers = openOffers(messages, selfId, maxFileSize);
  /** All that the line has been about. */
  const [offered, setOffered] = useState(offers);
  if (offers.length > offered.length) setOffered(offers);
  const [first] = offered;
  const giver = usePerson(first?.client ?? conversationId);
  if (first === undefined || offered.length < 2 || isBlocked) return null;
  const areMany = offers.length > 1;
  const count = countFiles(offers);
  const received = countFiles(receivedOf(offered, messages));
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
        {count > 0 && offered.every(({ client }) => client === first.client)
          ? t("offers.waitingFrom", { count, size, name: giver.firstName })
          : count > 0
            ? t("offers.waiting", { count, size })
            : received > 0 && t("offers.received", { count: received })}
      </p>
      {areMany && (
        <Button size="sm" variant={isGiverAway ? "secondary" : "primary"} onClick={acceptAll}>
          {t(keepReceived ? "offers.keepAll" : "offers.saveAll")}
        </Button>
      )}
    </div>
  );
}

/** Those of offers that are here by now. */
function receivedOf(
  offers: readonly FileMessage[],
  messages: readonly ChatMessage[],
): readonly FileMessage[] {
  const keys = new Set(offers.map(({ key }) => key));
  return messages.filter(
    (message): message is FileMessage =>
      message.type === "file" &&
      keys.has(message.key) &&
      outcomeOf(message.offers[message.client], false) === "complete",
  );
}
