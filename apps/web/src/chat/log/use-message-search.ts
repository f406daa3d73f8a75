import { type ChatMessage, type ConversationId, type FileMessage, folded, isInGap } from "@warren/core";
import type { FileId } from "@warren/protocol";
import {
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { foldedNames } from "../../files/tree/tree-search.ts";
import { isStored } from "../../files/use-is-stored.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { useShortcut } from "../../wiring/shortcuts/use-shortcut.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { useLoadedMessages } from "./use-loaded-messages.ts";

type Match = Pick<ChatMessage, "key" | "sortedAt">;

/** The search state of a conversation. */
export interface MessageSearch {
  readonly isOpen: boolean;
  readonly query: string;
  /** The folded query; empty while nothing is searched. */
  readonly foldedQuery: string;
  /** The matching messages, earliest first. */
  readonly matches: readonly Match[];
  /** Whether storage is still being searched. */
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

/** A message object never changes: each is folded once. */
const foldedWords = new WeakMap<ChatMessage, string>();

function foldedWordsOf(message: ChatMessage): string {
  const known = foldedWords.get(message);
  if (known !== undefined) return known;
  const words =
    message.type === "call" ? "" : folded(message.type === "text" ? message.data : message.file.fileName);
  foldedWords.set(message, words);
  return words;
}

/** The folded file names in the batches and folders of some messages, by tree. */
type TreeNames = ReadonlyMap<FileId, string>;

/** Whether a message, or the file names in it, contain a folded query. */
function matchesQuery(message: ChatMessage, foldedQuery: string, treeNames: TreeNames): boolean {
  return (
    foldedWordsOf(message).includes(foldedQuery) ||
    (message.type === "file" && (treeNames.get(message.file.fid)?.includes(foldedQuery) ?? false))
  );
}

/** Reads the file names in the batches and folders of some messages, one tree at a time, while wanted. */
function useTreeNames(messages: readonly ChatMessage[], isWanted: boolean): TreeNames {
  const { files } = useWarren();
  const { treeEntries } = useTab();
  const [names, setNames] = useState<TreeNames>(new Map());
  useAbortableEffect(
    (signal) => {
      if (!isWanted) return;
      const library = files.store.getState();
      const next = messages.find(
        (message): message is FileMessage =>
          message.type === "file" &&
          message.file.tree !== undefined &&
          !names.has(message.file.fid) &&
          (message.manifest !== undefined || isStored(library.get(message.file.fid))),
      );
      if (next === undefined) return;
      // An unreadable tree has no matches.
      const found = treeEntries.read(next).then(
        (entries) => foldedNames(entries ?? []),
        () => "",
      );
      void found.then((text) => !signal.aborted && setNames(new Map(names).set(next.file.fid, text)));
    },
    [files, treeEntries, messages, isWanted, names],
  );
  return names;
}

interface StoredMatches {
  readonly foldedQuery: string;
  readonly matches: readonly Match[];
  readonly isSearching: boolean;
}

const noTrees: TreeNames = new Map();

/** Searches the stored texts of a conversation up to its last gap, from the latest page to the earliest. */
function useStoredMatches(conversationId: ConversationId, foldedQuery: string): StoredMatches {
  const { chat } = useWarren();
  const [found, setFound] = useState<StoredMatches>({ foldedQuery: "", matches: [], isSearching: false });
  useAbortableEffect(
    (signal) => {
      const before = chat.store.getState().conversations[conversationId]?.gaps?.at(-1)?.before;
      if (foldedQuery === "" || before === undefined) return;
      let matches: readonly Match[] = [];
      const show = (isSearching: boolean) =>
        !signal.aborted && setFound({ foldedQuery, matches, isSearching });
      const search = async (): Promise<void> => {
        for await (const page of chat.textsBefore(conversationId, before)) {
          if (signal.aborted) return;
          const inPage = page.filter((message) => matchesQuery(message, foldedQuery, noTrees));
          matches = [...inPage.map(({ key, sortedAt }) => ({ key, sortedAt })), ...matches];
          show(true);
        }
      };
      show(true);
      // On a read error the matches found so far remain.
      void search()
        .catch(() => {})
        .then(() => show(false));
    },
    [chat, conversationId, foldedQuery],
  );
  return found.foldedQuery === foldedQuery ? found : { foldedQuery, matches: [], isSearching: false };
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

/**
 * Searches a conversation. Its shortcut opens the search; pressed again inside the field, it is left to the
 * browser, so that the browser's own search stays reachable.
 */
export function useMessageSearch(conversationId: ConversationId): MessageSearch {
  const { chat } = useWarren();
  const { conversation, messages: loaded } = useLoadedMessages(conversationId);
  const { messages } = conversation;
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  /** Counted from the end, so that new messages do not move it. */
  const [fromEnd, setFromEnd] = useState(0);
  const foldedQuery = useDeferredValue(isOpen ? folded(query.trim()) : "");
  const treeNames = useTreeNames(messages, foldedQuery !== "");
  const stored = useStoredMatches(conversationId, foldedQuery);
  const matches = useMemo((): readonly Match[] => {
    if (foldedQuery === "") return [];
    const inMemory = messages.filter((message) => matchesQuery(message, foldedQuery, treeNames));
    const notLoaded = stored.matches.filter((match) => isInGap(conversation, match));
    return [...notLoaded, ...inMemory].sort((one, other) => one.sortedAt - other.sortedAt);
  }, [conversation, messages, foldedQuery, treeNames, stored]);
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
    foldedQuery,
    matches,
    isSearching: stored.isSearching,
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
