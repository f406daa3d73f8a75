import type { ConversationId, FileMessage, FoundMessage, MessageSearchResults } from "@warren/core";
import { searchWords } from "@warren/core";
import type { FileId } from "@warren/protocol";
import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { foldedPathsOf } from "../../files/tree/tree-search.ts";
import { isStored } from "../../files/use-is-stored.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { useStableCallback } from "../../ui/hooks/use-stable-callback.ts";
import { useShortcut } from "../../wiring/shortcuts/use-shortcut.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { useLoadedMessages } from "./use-loaded-messages.ts";

/** The search state of a conversation. */
export interface MessageSearchState {
  readonly isOpen: boolean;
  readonly query: string;
  /** The folded words that `matches` contain; none while nothing is searched. */
  readonly words: readonly string[];
  /** The matching messages, earliest first. */
  readonly matches: readonly FoundMessage[];
  /** Whether storage or a batch or folder is still being searched. */
  readonly isSearching: boolean;
  /** The index of the current match; -1 when there are none. */
  readonly current: number;
  /**
   * The index of the current match among the loaded messages; null if there is none or it is not loaded yet.
   */
  readonly currentIndex: number | null;
  readonly field: RefObject<HTMLInputElement | null>;
  open(): void;
  close(): void;
  setQuery(query: string): void;
  older(): void;
  newer(): void;
}

/** What was found, and by which words. */
interface Found extends MessageSearchResults {
  readonly words: readonly string[];
}

const nothing: Found = { words: [], messages: [], isComplete: true };

/** Reads the paths in the batches and folders of a conversation, each once. */
function useTreePaths(): (message: FileMessage) => Promise<readonly string[]> | null {
  const { files } = useWarren();
  const { treeEntries } = useTab();
  const known = useRef(new Map<FileId, Promise<readonly string[]>>());
  return useStableCallback((message) => {
    const { fid } = message.file;
    if (message.manifest === undefined && !isStored(files.store.getState().get(fid))) return null;
    const read = async () => foldedPathsOf((await treeEntries.read(message)) ?? []);
    const reading = known.current.get(fid) ?? read();
    known.current.set(fid, reading);
    return reading;
  });
}

/**
 * What a conversation contains of a query; nothing for an empty one. What an earlier query found stays until this one has found
 * something, so that typing does not make the marks flicker.
 */
function useFound(conversationId: ConversationId, query: string): Found {
  const { chat } = useWarren();
  const treePaths = useTreePaths();
  const [found, setFound] = useState(nothing);
  useAbortableEffect(
    (signal) => {
      const words = searchWords(query);
      if (words.length === 0) return setFound(nothing);
      const search = async (): Promise<void> => {
        for await (const results of chat.searchConversation(conversationId, query, { signal, treePaths }))
          if (!signal.aborted) startTransition(() => setFound({ words, ...results }));
      };
      void search();
    },
    [chat, conversationId, query, treePaths],
  );
  return found;
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

/**
 * Searches a conversation. Its shortcut opens the search; pressed again inside the field, it is left to the
 * browser, so that the browser's own search stays reachable.
 */
export function useMessageSearch(conversationId: ConversationId): MessageSearchState {
  const { chat } = useWarren();
  const { messages: loaded } = useLoadedMessages(conversationId);
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  /** Counted from the end, so that new messages do not move it. */
  const [fromEnd, setFromEnd] = useState(0);
  const { words, messages: matches, isComplete } = useFound(conversationId, isOpen ? query : "");
  const current = matches.length === 0 ? -1 : Math.max(0, matches.length - 1 - fromEnd);

  const shown = matches[current];
  const currentIndex = useMemo(
    () => (shown === undefined ? -1 : loaded.findIndex(({ key }) => key === shown.key)),
    [loaded, shown],
  );
  const missingTime = shown !== undefined && currentIndex === -1 ? shown.sortedAt : null;
  useEffect(() => {
    // If storage fails, it stays; the next step retries.
    if (missingTime !== null) chat.loadAround(conversationId, missingTime).catch(() => {});
  }, [chat, conversationId, missingTime]);

  const origin = useRef<Element>(null);
  const open = (): void => {
    if (document.activeElement !== field.current) origin.current = document.activeElement;
    setOpen(true);
    selectAll(field.current);
  };
  // A layout effect: a frame later it would overwrite what has been typed.
  useLayoutEffect(() => {
    if (isOpen) selectAll(field.current);
  }, [isOpen]);

  useShortcut("search", open, () => document.activeElement !== field.current);

  const step = (by: number): void => {
    if (matches.length > 0) setFromEnd((matches.length - 1 - current + by + matches.length) % matches.length);
  };

  return {
    isOpen,
    query,
    words,
    matches,
    isSearching: !isComplete,
    current,
    currentIndex: currentIndex === -1 ? null : currentIndex,
    field,
    open,
    close: () => {
      setOpen(false);
      if (origin.current instanceof HTMLElement) origin.current.focus();
    },
    setQuery: (next) => {
      setQuery(next);
      setFromEnd(0);
    },
    older: () => step(1),
    newer: () => step(-1),
  };
}
