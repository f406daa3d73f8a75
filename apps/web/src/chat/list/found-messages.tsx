import { type ChatMessage, type FoundConversation, searchWords } from "@warren/core";
import { useId } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { useNow } from "../../ui/hooks/use-now.ts";
import { HighlightContext, Highlighted } from "../../ui/text/highlighted.tsx";
import { oneLine } from "../../ui/text/one-line.ts";
import { useProfile } from "../../wiring/warren-context.ts";
import { messageLine } from "../message/message-line.ts";
import { useNameOfConversation } from "./use-name-of-conversation.ts";
import { useOpenFound } from "./use-open-found.ts";
import { aroundWords } from "./use-search-results.ts";

/** Messages that a search found, by conversation; a press shows one in its place. */
export function FoundMessages({
  conversations,
  query,
}: {
  readonly conversations: readonly FoundConversation[];
  readonly query: string;
}) {
  const nameOf = useNameOfConversation();
  const open = useOpenFound();
  const words = searchWords(query);
  return (
    <HighlightContext value={words}>
      {conversations.map((found) => {
        const name = nameOf(found.conversation);
        return (
          name !== null && (
            <Found key={found.conversation} found={found} name={name} words={words} onOpen={open} />
          )
        );
      })}
    </HighlightContext>
  );
}

interface FoundProps {
  readonly found: FoundConversation;
  readonly name: string;
  readonly words: readonly string[];
  readonly onOpen: (message: ChatMessage) => void;
}

function Found({ found: { messages, count }, name, words, onOpen }: FoundProps) {
  const t = useT();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <p id={id} className="flex gap-2 px-2 pt-4 pb-1.5 text-meta text-text-2">
        <span className="min-w-0 truncate">{name}</span>
        <span className="shrink-0">{t("people.foundCount", { count })}</span>
      </p>
      <ul>
        {messages.map((message) => (
          <li key={message.key}>
            <FoundMessage message={message} words={words} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FoundMessageProps extends Pick<FoundProps, "words" | "onOpen"> {
  readonly message: ChatMessage;
}

function FoundMessage({ message, words, onOpen }: FoundMessageProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const nameOf = useNameOf();
  const { clientId } = useProfile();
  const text = message.type === "text" ? message.data : messageLine(message, t);
  return (
    <button
      type="button"
      className="flex w-full cursor-pointer flex-col gap-0.5 rounded-row px-2 py-1.5 text-left outline-offset-[-2px] transition-colors hover:bg-hover touch:min-h-12"
      onClick={() => onOpen(message)}
    >
      <span className="flex w-full items-baseline gap-2 text-meta text-text-2">
        <span className="min-w-0 flex-1 truncate">
          {message.client === clientId ? t("common.you") : nameOf(message.client)}
        </span>
        <time dateTime={new Date(message.sortedAt).toISOString()} className="shrink-0">
          {format.stamp(message.sortedAt, now)}
        </time>
      </span>
      <span className="w-full truncate text-compact">
        <Highlighted text={aroundWords(oneLine(text), words)} />
      </span>
    </button>
  );
}
