import { type ChatMessage, everyone, searchWords } from "@warren/core";
import { useMemo } from "react";
import { aroundWord, useSearchResults } from "../../chat/use-search-results.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { useNameOfRoom, useRoomName } from "../../room/room-name.ts";
import { HighlightContext, Highlighted } from "../../ui/highlighted.tsx";
import { ChatIcon, FileIcon } from "../../ui/icons.ts";
import { oneLine } from "../../ui/one-line.ts";
import { useNow } from "../../ui/use-now.ts";
import { useProfile, useWarren } from "../../ui/warren-context.tsx";
import type { PaletteEntry } from "./palette-entries.ts";

const shownMax = 12;
const perConversation = 4;

/** The messages of all conversations that contain the words of a query, the latest first. */
export function useFoundMessages(
  query: string,
  open: (message: ChatMessage) => void,
): { readonly entries: readonly PaletteEntry[]; readonly isSearching: boolean } {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const nameOf = useNameOf();
  const nameOfRoom = useNameOfRoom();
  const { chat } = useWarren();
  const { clientId } = useProfile();
  const roomName = useRoomName();
  const { conversations, isComplete } = useSearchResults(query, perConversation);
  const entries = useMemo(() => {
    const [word = ""] = searchWords(query).toSorted((one, other) => other.length - one.length);
    const rooms = chat.rooms.getState();
    /** The name of a conversation; null for a room that is not kept, which nothing leads to. */
    const placeOf = (conversation: string): string | null => {
      if (conversation === everyone) return roomName;
      const room = rooms.find(({ tag }) => tag === conversation);
      if (room !== undefined) return nameOfRoom(room);
      return chat.store.getState().contacts[conversation] === undefined ? null : nameOf(conversation);
    };
    return conversations
      .flatMap(({ messages }) => messages)
      .sort((one, other) => other.sortedAt - one.sortedAt)
      .flatMap((message): readonly PaletteEntry[] => {
        const place = placeOf(message.conversation);
        if (place === null) return [];
        const text = oneLine(message.type === "text" ? message.data : message.file.fileName);
        const sender = message.client === clientId ? t("common.you") : nameOf(message.client);
        return [
          {
            id: message.key,
            group: "messages",
            name: `${sender}, ${place}, ${format.stamp(message.sortedAt, now)}`,
            detail: (
              <HighlightContext value={word}>
                <Highlighted text={aroundWord(text, word)} />
              </HighlightContext>
            ),
            icon: message.type === "text" ? <ChatIcon size={18} /> : <FileIcon size={18} />,
            run: () => open(message),
          },
        ];
      })
      .slice(0, shownMax);
  }, [t, format, now, nameOf, nameOfRoom, chat, clientId, roomName, conversations, query, open]);
  return { entries, isSearching: !isComplete };
}
