import type { ChatMessage, ConversationId } from "@warren/core";
import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { isShortcut } from "../../components/shortcuts.ts";
import { useStore, useWarren } from "../../components/warren-context.tsx";
import { dialogStore } from "../../dialogs/open-dialog.tsx";
import { folded } from "../../i18n/matches-search.ts";
import { type TreeNames, useTreeNames } from "./use-tree-names.ts";

/** What a search shows of a conversation. */
export interface MessageSearch {
  readonly isOpen: boolean;
  readonly query: string;
  /** The query as it is looked for; empty while nothing is. */
  readonly foldedQuery: string;
  /** Places of the messages that match, the earlier first. */
  readonly matches: readonly number[];
  /** Which of the matches is shown, from 0; -1 when there are none. */
  readonly current: number;
  /** The place of the message that is shown; null when none is. */
  readonly currentIndex: number | null;
  readonly field: RefObject<HTMLInputElement | null>;
  open(): void;
  close(): void;
  setQuery(query: string): void;
  older(): void;
  newer(): void;
}

/** Messages never change their words: each is folded once. */
const foldedWords = new WeakMap<ChatMessage, string>();

function foldedWordsOf(message: ChatMessage): string {
  const known = foldedWords.get(message);
  if (known !== undefined) return known;
  const words = folded(message.type === "text" ? message.data : message.file.fileName);
  foldedWords.set(message, words);
  return words;
}

/** The places of the messages that hold a folded query, or a file that does, the earlier first. */
function findMessages(
  messages: readonly ChatMessage[],
  foldedQuery: string,
  treeNames: TreeNames,
): readonly number[] {
  if (foldedQuery === "") return [];
  const holds = (message: ChatMessage): boolean =>
    foldedWordsOf(message).includes(foldedQuery) ||
    (message.type === "file" && (treeNames.get(message.file.fid)?.includes(foldedQuery) ?? false));
  const found: number[] = [];
  for (const [index, message] of messages.entries()) if (holds(message)) found.push(index);
  return found;
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

const noMessages: readonly ChatMessage[] = [];

/**
 * Searches a conversation. It opens under its key; pressed again with the focus in the field, the key is the browser's,
 * so that its own search stays within reach.
 */
export function useMessageSearch(conversationId: ConversationId): MessageSearch {
  const { chat } = useWarren();
  const messages =
    useStore(chat.store, (state) => state.conversations[conversationId]?.messages) ?? noMessages;
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  /** Counted from the end, so that what arrives meanwhile moves nothing. */
  const [fromEnd, setFromEnd] = useState(0);
  const foldedQuery = useDeferredValue(isOpen ? folded(query.trim()) : "");
  const treeNames = useTreeNames(messages, foldedQuery !== "");
  const matches = useMemo(
    () => findMessages(messages, foldedQuery, treeNames),
    [messages, foldedQuery, treeNames],
  );
  const current = matches.length === 0 ? -1 : Math.max(0, matches.length - 1 - fromEnd);

  const origin = useRef<Element>(null);
  const open = useCallback((): void => {
    if (document.activeElement !== field.current) origin.current = document.activeElement;
    setOpen(true);
    selectAll(field.current);
  }, []);
  // Before anything can be typed into it: a frame later it would be overwritten.
  useLayoutEffect(() => {
    if (isOpen) selectAll(field.current);
  }, [isOpen]);

  useEffect(() => {
    const listening = new AbortController();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isShortcut(event, "search") || dialogStore.getState()?.open) return;
      if (field.current !== null && document.activeElement === field.current) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKeyDown, { signal: listening.signal });
    return () => listening.abort();
  }, [open]);

  const step = (by: number): void => {
    if (matches.length > 0) setFromEnd((matches.length - 1 - current + by + matches.length) % matches.length);
  };

  return {
    isOpen,
    query,
    foldedQuery,
    matches,
    current,
    currentIndex: matches[current] ?? null,
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
