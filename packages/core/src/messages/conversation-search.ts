import type { Clock } from "../ports/clock.ts";
import { containsWords, folded, searchWords } from "../shared/matches-search.ts";
import type { ReadableStore } from "../shared/store.ts";
import type { ChatState } from "./chat-state.ts";
import type { ChatMessage, ConversationId, MessageKey } from "./message.ts";
import { messageContains } from "./message-words.ts";
import type { SearchedText } from "./stored-history.ts";

/** What was read stays in memory for this long after the last search. */
const keptMs = 60_000;
/** Results are given again at most this often. */
const resultsEveryMs = 100;
/** So many conversations are read at once. */
const readersMax = 4;

/** The messages of a conversation that a search found. */
export interface FoundConversation {
  readonly conversation: ConversationId;
  /** How many were found so far. */
  readonly count: number;
  /** The latest of them, latest first. */
  readonly messages: readonly ChatMessage[];
}

/** What a search has found so far. */
export interface SearchResults {
  /** The conversation with the latest found message first. */
  readonly conversations: readonly FoundConversation[];
  /** Whether everything has been searched. */
  readonly isComplete: boolean;
}

export interface SearchOptions {
  /** How many messages of each conversation are given. */
  readonly perConversation?: number;
  readonly signal?: AbortSignal;
}

interface ConversationSearchDeps {
  readonly store: ReadableStore<ChatState>;
  readonly clock: Clock;
  /** Names for conversations that stay the same while we go to other rooms, and back. */
  readonly stableIdOf: (id: ConversationId) => ConversationId;
  readonly presentIdOf: (stableId: ConversationId) => ConversationId;
  /** The stored texts of a conversation, in pages, latest first. */
  readonly storedTexts: (id: ConversationId) => AsyncIterable<readonly SearchedText[]>;
  /** Messages as they are stored now; not all may still be there. */
  readonly withKeys: (keys: readonly MessageKey[]) => Promise<readonly ChatMessage[]>;
}

/** A text in storage, folded. */
interface Words {
  readonly key: MessageKey;
  readonly sortedAt: number;
  readonly words: string;
}

/** What has been read of a conversation: latest first. */
type ReadTexts = Words[];

/** What a search has found in the read part of a conversation, and how far it looked. */
interface Found {
  readonly texts: Words[];
  searched: number;
}

/**
 * Finds texts and names of files in all conversations. Storage has no index of words: everything is read once, latest first
 * and all conversations in turns, and what was read is kept until searching ends. What is in memory is found before.
 */
export class ConversationSearch {
  readonly #deps: ConversationSearchDeps;
  #read = new Map<ConversationId, ReadTexts>();
  #reading: Promise<void> | null = null;
  #isComplete = false;
  #waiting: (() => void)[] = [];
  #users = 0;
  #cancelRelease = (): void => {};

  constructor(deps: ConversationSearchDeps) {
    this.#deps = deps;
  }

  /** Reads what a search is going to need. */
  readAhead(): void {
    this.#use();
    void this.#startReading();
    this.#release();
  }

  /**
   * Yields what is found so far, again and again until everything has been searched; each message contains every word of the
   * query. Nothing for an empty query. @throws WarrenError `storage-failed`; what was found before remains true.
   */
  async *find(query: string, options: SearchOptions = {}): AsyncGenerator<SearchResults> {
    const { perConversation = 3, signal } = options;
    const words = searchWords(query);
    if (words.length === 0) return;
    this.#use();
    const found = new Map<ConversationId, Found>();
    try {
      const reading = this.#startReading();
      const read = this.#read;
      let shown = 0;
      let shownAtMs = Number.NEGATIVE_INFINITY;
      for (;;) {
        const isComplete = this.#isComplete;
        const count = this.#search(words, found);
        // The first results at once, further ones from time to time.
        const isTime = this.#deps.clock.elapsedMs() - shownAtMs >= resultsEveryMs;
        if (isComplete || shownAtMs < 0 || (count > shown && (isTime || shown === 0))) {
          const conversations = await this.#results(words, found, perConversation);
          if (signal?.aborted) return;
          yield { conversations, isComplete };
          shown = count;
          shownAtMs = this.#deps.clock.elapsedMs();
        }
        if (isComplete || signal?.aborted) return;
        await Promise.race([this.#progress(), reading]);
        // Reading has failed, or nobody searches any more: nothing further comes.
        if (this.#read !== read) return await reading;
        if (signal?.aborted) return;
      }
    } finally {
      this.#release();
    }
  }

  close(): void {
    this.#forget();
    this.#cancelRelease();
  }

  #use(): void {
    this.#users++;
    this.#cancelRelease();
  }

  #release(): void {
    this.#users--;
    this.#cancelRelease();
    this.#cancelRelease = this.#deps.clock.after(keptMs, () => {
      if (this.#users === 0) this.#forget();
    });
  }

  #forget(): void {
    this.#read = new Map();
    this.#reading = null;
    this.#isComplete = false;
  }

  #startReading(): Promise<void> {
    if (this.#reading !== null) return this.#reading;
    const reading = this.#readAll(this.#read);
    this.#reading = reading;
    // Whoever waits for it gets the error; the next search tries again.
    reading.catch(() => this.#forget());
    return reading;
  }

  /** Reads all conversations, a page of each in turn. */
  async #readAll(read: Map<ConversationId, ReadTexts>): Promise<void> {
    const { store, stableIdOf, storedTexts } = this.#deps;
    const unread = Object.keys(store.getState().conversations).map((id) => {
      const texts: ReadTexts = [];
      read.set(stableIdOf(id), texts);
      return { texts, pages: storedTexts(id)[Symbol.asyncIterator]() };
    });
    const readInTurn = async (): Promise<void> => {
      for (let next = unread.shift(); next !== undefined; next = unread.shift()) {
        const page = await next.pages.next();
        // Nobody searches any more.
        if (this.#read !== read) return;
        if (page.done) continue;
        for (const { key, sortedAt, text } of page.value)
          next.texts.push({ key, sortedAt, words: folded(text) });
        unread.push(next);
        this.#wake();
      }
    };
    await Promise.all(Array.from({ length: readersMax }, readInTurn));
    if (this.#read === read) this.#isComplete = true;
    this.#wake();
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Looks through what was read since the last time. @returns how many were found in all. */
  #search(words: readonly string[], found: Map<ConversationId, Found>): number {
    let count = 0;
    for (const [stableId, texts] of this.#read) {
      const known = found.get(stableId) ?? { texts: [], searched: 0 };
      for (; known.searched < texts.length; known.searched++) {
        const text = texts[known.searched];
        if (text !== undefined && containsWords(text.words, words)) known.texts.push(text);
      }
      found.set(stableId, known);
      count += known.texts.length;
    }
    return count;
  }

  async #results(
    words: readonly string[],
    found: ReadonlyMap<ConversationId, Found>,
    perConversation: number,
  ): Promise<readonly FoundConversation[]> {
    const { presentIdOf, stableIdOf, store, withKeys } = this.#deps;
    const inMemory = Object.entries(store.getState().conversations).map(([id, conversation]) => {
      const messages = conversation?.messages ?? [];
      return {
        stableId: stableIdOf(id),
        keys: new Set(messages.map(({ key }) => key)),
        messages: messages.filter((message) => messageContains(message, words)).reverse(),
      };
    });
    const parts = inMemory.map(({ stableId, keys, messages }) => {
      // What is in memory is newer than what was read: it may have been edited since.
      const stored = (found.get(stableId)?.texts ?? []).filter(({ key }) => !keys.has(key));
      const missing = Math.max(0, perConversation - messages.length);
      return { stableId, messages, stored, wanted: stored.slice(0, missing).map(({ key }) => key) };
    });
    const loaded = new Map(
      (await withKeys(parts.flatMap(({ wanted }) => wanted)))
        .filter((message) => messageContains(message, words))
        .map((message) => [message.key, message]),
    );
    return parts
      .map(({ stableId, messages, stored, wanted }) => {
        const others = wanted.flatMap((key) => loaded.get(key) ?? []);
        const gone = wanted.length - others.length;
        const latest = [...messages, ...others]
          .sort((one, other) => other.sortedAt - one.sortedAt)
          .slice(0, perConversation);
        const count = messages.length + stored.length - gone;
        return { conversation: presentIdOf(stableId), count, messages: latest };
      })
      .filter(({ messages }) => messages.length > 0)
      .sort((one, other) => lastOf(other) - lastOf(one));
  }
}

function lastOf({ messages }: FoundConversation): number {
  return messages[0]?.sortedAt ?? 0;
}
