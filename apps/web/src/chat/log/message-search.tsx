import { type ChatMessage, type ConversationId, type FileMessage, folded, isInGap } from "@warren/core";
import type { FileId } from "@warren/protocol";
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { treeEntries } from "../../files/tree/tree-entries.ts";
import { foldedNames } from "../../files/tree/tree-search.ts";
import { isStoredWhole } from "../../files/use-is-stored.ts";
import { useT } from "../../i18n/use-t.ts";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, NewerIcon, OlderIcon } from "../../ui/icons.ts";
import { dialogStore } from "../../wiring/dialogs/open-dialog.tsx";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
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
  const words = folded(message.type === "text" ? message.data : message.file.fileName);
  foldedWords.set(message, words);
  return words;
}

/** The folded file names in the batches and folders of some messages, by tree. */
type TreeNames = ReadonlyMap<FileId, string>;

/** Whether a message, or the file names in it, contain a folded query. */
function holds(message: ChatMessage, foldedQuery: string, treeNames: TreeNames): boolean {
  return (
    foldedWordsOf(message).includes(foldedQuery) ||
    (message.type === "file" && (treeNames.get(message.file.fid)?.includes(foldedQuery) ?? false))
  );
}

/** Reads the file names in the batches and folders of some messages, one tree at a time, while wanted. */
function useTreeNames(messages: readonly ChatMessage[], isWanted: boolean): TreeNames {
  const { files } = useWarren();
  const [names, setNames] = useState<TreeNames>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    const library = files.store.getState();
    const next = messages.find(
      (message): message is FileMessage =>
        message.type === "file" &&
        message.file.tree !== undefined &&
        !names.has(message.file.fid) &&
        (message.manifest !== undefined || isStoredWhole(library.get(message.file.fid))),
    );
    if (next === undefined) return;
    let isCurrent = true;
    // An unreadable tree has no matches.
    const found = treeEntries(files, next).then(
      (entries) => foldedNames(entries ?? []),
      () => "",
    );
    void found.then((text) => isCurrent && setNames(new Map(names).set(next.file.fid, text)));
    return () => {
      isCurrent = false;
    };
  }, [files, messages, isWanted, names]);
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
  useEffect(() => {
    const before = chat.store.getState().conversations[conversationId]?.gaps?.at(-1)?.before;
    if (foldedQuery === "" || before === undefined) return;
    let isCurrent = true;
    let matches: readonly Match[] = [];
    const show = (isSearching: boolean) => isCurrent && setFound({ foldedQuery, matches, isSearching });
    const search = async (): Promise<void> => {
      for await (const page of chat.textsBefore(conversationId, before)) {
        if (!isCurrent) return;
        const inPage = page.filter((message) => holds(message, foldedQuery, noTrees));
        matches = [...inPage.map(({ key, sortedAt }) => ({ key, sortedAt })), ...matches];
        show(true);
      }
    };
    show(true);
    // On a read error the matches found so far remain.
    void search()
      .catch(() => {})
      .then(() => show(false));
    return () => {
      isCurrent = false;
    };
  }, [chat, conversationId, foldedQuery]);
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
    const inMemory = messages.filter((message) => holds(message, foldedQuery, treeNames));
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
  const open = useCallback((): void => {
    if (document.activeElement !== field.current) origin.current = document.activeElement;
    setOpen(true);
    selectAll(field.current);
  }, []);
  // A layout effect: a frame later it would overwrite what has been typed.
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

/** The search field of a conversation, with buttons for the next and previous match. */
export function SearchBar({ search }: { readonly search: MessageSearch }) {
  const t = useT();
  const { query, foldedQuery, matches, isSearching, current, field, setQuery, older, newer, close } = search;
  const total = matches.length;

  const onKeyDown = (event: ReactKeyboardEvent): void => {
    if (event.key === "Escape") close();
    else if (isShortcut(event, "newer")) newer();
    else if (isShortcut(event, "older")) older();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words =
    foldedQuery === ""
      ? ""
      : total === 0
        ? t(isSearching ? "messageSearch.searching" : "common.noResults")
        : t("messageSearch.position", { position: current + 1, total });
  return (
    <search className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-3 max-md:h-15 max-md:px-1.5">
      <SearchField
        ref={field}
        label={t("messageSearch.field")}
        value={query}
        onChange={setQuery}
        className="min-w-0 flex-1"
        onKeyDown={onKeyDown}
      />
      <p
        role="status"
        className="min-w-16 px-2 text-center max-md:min-w-14 max-md:px-0 text-meta text-text-2 tabular-nums"
      >
        {words}
      </p>
      <IconButton
        icon={OlderIcon}
        label={t("messageSearch.older")}
        disabledReason={total === 0 ? t("common.noResults") : undefined}
        onClick={older}
      />
      <IconButton
        icon={NewerIcon}
        label={t("messageSearch.newer")}
        disabledReason={total === 0 ? t("common.noResults") : undefined}
        onClick={newer}
      />
      <IconButton icon={CloseIcon} label={t("messageSearch.close")} onClick={close} />
    </search>
  );
}
