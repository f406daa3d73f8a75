import type { SearchResults } from "@warren/core";
import { useState } from "react";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { textMatches } from "../../ui/text/text-matches.ts";
import { useWarren } from "../../wiring/warren-context.ts";

const nothing: SearchResults = { conversations: [], isComplete: true };
/** How much of a text stands before the found word. */
const before = 24;

/** What a search over all conversations has found so far; nothing for an empty query. */
export function useSearchResults(query: string, perConversation: number): SearchResults {
  const { chat } = useWarren();
  const [found, setFound] = useState({ query: "", results: nothing });
  useAbortableEffect(
    (signal) => {
      if (query === "") return;
      const search = async (): Promise<void> => {
        for await (const results of chat.searchConversations(query, { perConversation, signal }))
          if (!signal.aborted) setFound({ query, results });
      };
      // What was found before storage failed remains.
      search().catch(() => {
        if (!signal.aborted)
          setFound((last) => ({
            query,
            results: { ...(last.query === query ? last.results : nothing), isComplete: true },
          }));
      });
    },
    [chat, query, perConversation],
  );
  if (query === "") return nothing;
  return found.query === query ? found.results : { conversations: [], isComplete: false };
}

/** The part of a text around found words: from a little before the longest, which says most about what was found. */
export function aroundWords(text: string, words: readonly string[]): string {
  const longest = words.toSorted((one, other) => other.length - one.length).slice(0, 1);
  const [start = 0] = textMatches(text, longest)[0] ?? [];
  return start <= before ? text : `…${text.slice(start - before)}`;
}
