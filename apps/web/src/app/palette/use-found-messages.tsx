import { type ChatMessage, searchWords } from "@warren/core";
import { useNameOfConversation } from "../../chat/list/use-name-of-conversation.ts";
import { aroundWords, useSearchResults } from "../../chat/list/use-search-results.ts";
import { messageLine } from "../../chat/message/message-line.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { useNow } from "../../ui/hooks/use-now.ts";
import { ChatIcon, FileIcon } from "../../ui/icons.ts";
import { HighlightContext, Highlighted } from "../../ui/text/highlighted.tsx";
import { oneLine } from "../../ui/text/one-line.ts";
import { useProfile } from "../../wiring/warren-context.ts";
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
  const nameOfConversation = useNameOfConversation();
  const { clientId } = useProfile();
  const { conversations, isComplete } = useSearchResults(query, perConversation);
  const words = searchWords(query);
  const entries = conversations
    .flatMap(({ messages }) => messages)
    .sort((one, other) => other.sortedAt - one.sortedAt)
    .flatMap((message): readonly PaletteEntry[] => {
      const conversationName = nameOfConversation(message.conversation);
      if (conversationName === null) return [];
      const text = oneLine(message.type === "text" ? message.data : messageLine(message, t));
      const sender = message.client === clientId ? t("common.you") : nameOf(message.client);
      return [
        {
          id: message.key,
          group: "messages",
          name: format.items([...new Set([sender, conversationName]), format.stamp(message.sortedAt, now)]),
          detail: (
            <HighlightContext value={words}>
              <Highlighted text={aroundWords(text, words)} />
            </HighlightContext>
          ),
          icon: message.type === "text" ? <ChatIcon size={18} /> : <FileIcon size={18} />,
          run: () => open(message),
        },
      ];
    });
  return { entries: entries.slice(0, shownMax), isSearching: !isComplete };
}
