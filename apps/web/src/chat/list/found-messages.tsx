import {
  type ChatMessage,
  type ConversationId,
  everyone,
  type FoundConversation,
  isRoomConversation,
  searchWords,
} from "@warren/core";
import { useId } from "react";
import { useLocation } from "wouter";
import { treeName } from "../../files/tree/tree-name.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { useNameOfRoom, useRoomName } from "../../room/room-name.ts";
import { useRooms } from "../../room/rooms/use-rooms.ts";
import { useTab } from "../../tab/tab-context.ts";
import { HighlightContext, Highlighted } from "../../ui/highlighted.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { oneLine } from "../../ui/one-line.ts";
import { paths } from "../../wiring/paths.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { aroundWord } from "./use-search-results.ts";

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
  // The longest word says most about what was found.
  const [word = ""] = searchWords(query).toSorted((one, other) => other.length - one.length);
  return (
    <HighlightContext value={word}>
      {conversations.map((found) => {
        const name = nameOf(found.conversation);
        return (
          name !== null && (
            <Found key={found.conversation} found={found} name={name} word={word} onOpen={open} />
          )
        );
      })}
    </HighlightContext>
  );
}

interface FoundProps {
  readonly found: FoundConversation;
  readonly name: string;
  readonly word: string;
  readonly onOpen: (message: ChatMessage) => void;
}

function Found({ found: { messages, count }, name, word, onOpen }: FoundProps) {
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
            <FoundMessage message={message} word={word} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FoundMessageProps extends Pick<FoundProps, "word" | "onOpen"> {
  readonly message: ChatMessage;
}

function FoundMessage({ message, word, onOpen }: FoundMessageProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const nameOf = useNameOf();
  const { clientId } = useProfile();
  const text = message.type === "text" ? message.data : treeName(message.file, t);
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
        <Highlighted text={aroundWord(oneLine(text), word)} />
      </span>
    </button>
  );
}

/** Returns a function that names a conversation; null for a room that is not kept, which nothing leads to. */
export function useNameOfConversation(): (id: ConversationId) => string | null {
  const { chat } = useWarren();
  const rooms = useStore(chat.rooms);
  const nameOf = useNameOf();
  const nameOfRoom = useNameOfRoom();
  const roomName = useRoomName();
  return (id) => {
    if (id === everyone) return roomName;
    if (!isRoomConversation(id)) return nameOf(id);
    const kept = rooms.find(({ tag }) => tag === id);
    return kept === undefined ? null : nameOfRoom(kept);
  };
}

/** Returns a function that shows a message in its conversation; for one of another room, it goes to that room. */
export function useOpenFound(): (message: ChatMessage) => void {
  const { chat } = useWarren();
  const { soughtMessage } = useTab();
  const rooms = useRooms();
  const [, navigate] = useLocation();
  const open = async ({ conversation, key }: ChatMessage): Promise<void> => {
    const { room } = chat.store.getState();
    const other = chat.rooms.getState().find(({ tag }) => tag === conversation && tag !== room);
    if (other !== undefined && !(await rooms.goTo(other))) return;
    soughtMessage.setState(key);
    navigate(paths.chat.href(isRoomConversation(conversation) ? everyone : conversation));
  };
  return (message) => void open(message);
}
