import type { FileId } from "@warren/protocol";
import { containsWords, searchWords } from "../shared/matches-search.ts";
import type { ReadableStore } from "../shared/store.ts";
import { type ChatState, type Conversation, isInGap } from "./chat-state.ts";
import type { ChatMessage, ConversationId, FileMessage } from "./message.ts";
import { messageContains } from "./message-words.ts";

/** A message that a search found. It may only be in storage: `loadAround` its `sortedAt` shows it. */
export type FoundMessage = Pick<ChatMessage, "key" | "sortedAt">;

/** What a search in one conversation has found so far. */
export interface MessageSearchResults {
  /** Earliest first. */
  readonly messages: readonly FoundMessage[];
  /** Whether everything has been searched. */
  readonly isComplete: boolean;
}

export interface MessageSearchOptions {
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** The folded paths in a batch or folder; null while they cannot be read. */
  readonly treePaths: (message: FileMessage) => Promise<readonly string[]> | null;
}

interface MessageSearchDeps {
  readonly store: ReadableStore<ChatState>;
  /** The stored texts of a conversation, in pages, latest first; loads the messages about files on the way. */
  textsBefore(id: ConversationId, sortedAt: number): AsyncIterable<readonly ChatMessage[]>;
}

const nothing: Conversation = { messages: [], unread: 0 };

/**
 * Finds messages of one conversation that contain every word of a query, in their text, in the name of their file, or in one
 * path in their batch or folder. What is in memory is found at once; storage is read a page at a time up to the last gap, and
 * trees one after another.
 */
export class MessageSearch {
  readonly #deps: MessageSearchDeps;
  readonly #id: ConversationId;
  readonly #words: readonly string[];
  readonly #options: MessageSearchOptions;
  readonly #stored: FoundMessage[] = [];
  /** Whether a path in a tree matches, of those that were read. */
  readonly #trees = new Map<FileId, boolean>();
  #isReadingTexts = false;
  #isReadingTrees = false;
  #isChanged = false;
  #resume = (): void => {};

  constructor(deps: MessageSearchDeps, id: ConversationId, query: string, options: MessageSearchOptions) {
    this.#deps = deps;
    this.#id = id;
    this.#words = searchWords(query);
    this.#options = options;
  }

  /** Yields what is found, again after each change of the conversation, until the signal aborts. Nothing for an empty query. */
  async *results(): AsyncGenerator<MessageSearchResults> {
    if (this.#words.length === 0) return;
    const { signal } = this.#options;
    let searched: Conversation | null = null;
    const stop = this.#deps.store.subscribe(() => {
      if (this.#conversation !== searched) this.#noteChange();
    });
    signal.addEventListener("abort", this.#noteChange);
    try {
      void this.#readTexts();
      while (!signal.aborted) {
        this.#isChanged = false;
        searched = this.#conversation;
        void this.#readTrees();
        const isComplete = !this.#isReadingTexts && !this.#isReadingTrees;
        yield { messages: this.#find(searched), isComplete };
        if (!this.#isChanged)
          await new Promise<void>((resolve) => {
            this.#resume = resolve;
          });
      }
    } finally {
      stop();
      signal.removeEventListener("abort", this.#noteChange);
    }
  }

  get #conversation(): Conversation {
    return this.#deps.store.getState().conversations[this.#id] ?? nothing;
  }

  readonly #noteChange = (): void => {
    this.#isChanged = true;
    this.#resume();
  };

  #find(conversation: Conversation): readonly FoundMessage[] {
    const inMemory = conversation.messages.filter(
      (message) =>
        messageContains(message, this.#words) ||
        (message.type === "file" && this.#trees.get(message.file.fid) === true),
    );
    // What has been loaded since it was read is found in memory.
    const notLoaded = this.#stored.filter((message) => isInGap(conversation, message));
    return [...notLoaded, ...inMemory].sort((one, other) => one.sortedAt - other.sortedAt);
  }

  async #readTexts(): Promise<void> {
    const before = this.#conversation.gaps?.at(-1)?.before;
    if (before === undefined) return;
    this.#isReadingTexts = true;
    try {
      for await (const page of this.#deps.textsBefore(this.#id, before)) {
        if (this.#options.signal.aborted) return;
        const found = page.filter((message) => messageContains(message, this.#words));
        this.#stored.push(...found.map(({ key, sortedAt }) => ({ key, sortedAt })));
        if (found.length > 0) this.#noteChange();
      }
    } catch {
      // What was found before storage failed remains true.
    } finally {
      this.#isReadingTexts = false;
      this.#noteChange();
    }
  }

  async #readTrees(): Promise<void> {
    if (this.#isReadingTrees) return;
    for (let next = this.#nextTree(); next !== null; next = this.#nextTree()) {
      this.#isReadingTrees = true;
      // An unreadable tree has no matches.
      const paths = await next.paths.catch(() => []);
      if (this.#options.signal.aborted) return;
      const isFound = paths.some((path) => containsWords(path, this.#words));
      this.#trees.set(next.fid, isFound);
      if (isFound) this.#noteChange();
    }
    if (!this.#isReadingTrees) return;
    this.#isReadingTrees = false;
    this.#noteChange();
  }

  #nextTree(): { readonly fid: FileId; readonly paths: Promise<readonly string[]> } | null {
    for (const message of this.#conversation.messages) {
      if (message.type !== "file" || message.file.tree === undefined) continue;
      const { fid } = message.file;
      const paths = this.#trees.has(fid) ? null : this.#options.treePaths(message);
      if (paths !== null) return { fid, paths };
    }
    return null;
  }
}
