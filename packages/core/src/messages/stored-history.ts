import type { ClientId } from "@warren/protocol";
import type { RecordRange, RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import { recordOf } from "../settings/read-options.ts";
import type { Log } from "../shared/log.ts";
import { type Conversation, type Gap, isInGap, type StorageUsage } from "./chat-state.ts";
import type { ConversationNames } from "./conversation-names.ts";
import type { ChatMessage, ConversationId, MessageKey } from "./message.ts";
import { usageBytesOf, withMessage } from "./storage-usages.ts";
import {
  bodyKeyOf,
  conversationGroups,
  conversationOfGroup,
  groups,
  headOf,
  isBodyApart,
  isSettled,
  layoutRecord,
  messageRecord,
  parseBody,
  parseLayout,
  parseMessage,
  usageRecord,
} from "./stored-chat.ts";

/**
 * Page sizes: the settled messages loaded first (or all unread ones up to `firstMax`), and those loaded with each further page.
 */
const pages = { first: 50, firstMax: 1_000, further: 200 } as const;
/** The messages loaded first end once they have this many bytes, unread or not; the others are loaded as pages. */
const firstBytes = 1024 * 1024;
/** Page size when all settled messages of a conversation are scanned. */
const scanned = 1_000;

/** What is searched of a stored message. */
export interface SearchedText {
  readonly key: MessageKey;
  readonly sortedAt: number;
  readonly text: string;
}

/** What is searched of a message: its text, or the name of its file. Calls are not found. */
export function textOf(message: ChatMessage): string {
  if (message.type === "call") return "";
  return message.type === "text" ? message.data : message.file.fileName;
}

/** Read without its schema, which takes five times as long: what is found is loaded as a message before it is shown. */
function searchedText(record: StoredRecord, body: string | undefined): SearchedText {
  const { key, order } = record;
  const { data, file } = recordOf(headOf(record));
  const { fileName } = recordOf(file);
  const text = [fileName, body, data].find((each) => typeof each === "string") ?? "";
  return { key: key as MessageKey, sortedAt: order, text };
}

/** Loads stored conversations: their end when the page opens, the rest in pages. */
export class StoredHistory {
  readonly #storage: RecordStorage;
  readonly #names: ConversationNames;
  readonly #log: Log;
  /** Whether storage has the present layout; until then a conversation has to be loaded whole. */
  #isArranged = true;

  constructor(deps: { storage: RecordStorage; names: ConversationNames; log: Log }) {
    this.#storage = deps.storage;
    this.#names = deps.names;
    this.#log = deps.log;
  }

  /** The conversations that have messages. */
  async conversations(): Promise<ReadonlySet<ConversationId>> {
    const names = await this.#storage.groups();
    const stored = names.map(conversationOfGroup).filter((id) => id !== null);
    return new Set(stored.map((id) => this.#names.toShown(id)));
  }

  #groupsOf(id: ConversationId) {
    return conversationGroups(this.#names.toStored(id));
  }

  async #parsed(records: readonly StoredRecord[]): Promise<readonly ChatMessage[]> {
    const bodies = await this.#bodiesOf(records);
    // A long text may have been made short since its record was read: then it is whole in its record.
    const lacking = records.filter((record) => isBodyApart(record) && !bodies.has(record.key));
    const later = lacking.length > 0 ? await this.#storage.get(lacking.map(({ key }) => key)) : [];
    const now = new Map(later.map((record) => [record.key, record]));
    return records
      .map((record) => parseMessage(now.get(record.key) ?? record, this.#names, bodies.get(record.key)))
      .filter((message) => message !== null);
  }

  /** The bodies of stored messages that have records of their own, by the keys of the messages. */
  async #bodiesOf(records: readonly StoredRecord[]): Promise<ReadonlyMap<string, string>> {
    const keys = new Map(
      records.filter(isBodyApart).map(({ key }) => [bodyKeyOf(key as MessageKey), key] as const),
    );
    const bodies = keys.size > 0 ? await this.#storage.get([...keys.keys()]) : [];
    return new Map(bodies.map((record) => [keys.get(record.key) ?? "", parseBody(record) ?? ""]));
  }

  /** The body of one message that has a record of its own. */
  async bodyOf(key: MessageKey): Promise<string | null> {
    return parseBody((await this.#storage.get([bodyKeyOf(key)]))[0]);
  }

  /** The last messages of a group: so many or a few more, or fewer if they are large. */
  async #last(
    group: string,
    count: number,
  ): Promise<{ messages: readonly ChatMessage[]; gaps: readonly Gap[] }> {
    let messages: readonly ChatMessage[] = [];
    let seen = 0;
    let bytes = 0;
    let before = Number.POSITIVE_INFINITY;
    while (seen < count && bytes < firstBytes) {
      const records = await this.#storage.list(group, { before, last: pages.first });
      const page = await this.#parsed(records);
      messages = [...page, ...messages];
      seen += records.length;
      bytes += page.reduce((sum, message) => sum + usageBytesOf(message), 0);
      if (records[0] === undefined || records.length < pages.first) return { messages, gaps: [] };
      before = records[0].order;
    }
    return { messages, gaps: [{ from: Number.NEGATIVE_INFINITY, before }] };
  }

  /** The end of a conversation, with its open offers, unsent texts and number of unread messages. */
  async end(id: ConversationId, selfId: ClientId, readUntil: number): Promise<Conversation> {
    const { settled, unsent, files } = this.#groupsOf(id);
    // Our own messages move the read mark too, so only received ones are counted.
    const unreadSettled = await this.#storage.countAfter(settled, readUntil);
    const whole = async () => ({ messages: await this.#parsed(await this.#storage.list(settled)), gaps: [] });
    const [end, ...others] = await Promise.all([
      this.#isArranged ? this.#last(settled, endLength(unreadSettled)) : whole(),
      this.#storage.list(unsent),
      this.#storage.list(files),
    ]);
    const inWhole = await this.#parsed(others.flat());
    const isUnread = ({ client, sortedAt }: ChatMessage) => client !== selfId && sortedAt > readUntil;
    return {
      messages: [...end.messages, ...inWhole].sort(bySortedAt),
      unread: unreadSettled + inWhole.filter(isUnread).length,
      gaps: end.gaps,
    };
  }

  /** The stored messages with these keys. */
  async withKeys(keys: readonly MessageKey[]): Promise<readonly ChatMessage[]> {
    return this.#parsed(await this.#storage.get(keys));
  }

  /** The stored messages about these files, or other subjects. */
  async about(subjects: readonly string[]): Promise<readonly ChatMessage[]> {
    return this.#parsed(await this.#storage.about(subjects));
  }

  /** The messages of a gap on both sides of a `sortedAt` in it, and the remaining gaps. */
  async around(
    id: ConversationId,
    { from, before }: Gap,
    sortedAt: number,
  ): Promise<{ messages: readonly ChatMessage[]; gaps: readonly Gap[] }> {
    const read = (range: RecordRange) => this.#storage.list(this.#groupsOf(id).settled, range);
    const [earlier, later] = await Promise.all([
      read({ from, before: Math.min(sortedAt, before), last: pages.further }),
      read({ from: sortedAt, before, first: pages.further }),
    ]);
    const [earliest, latest] = [earlier[0], later.at(-1)];
    const left = earliest && earlier.length >= pages.further ? [{ from, before: earliest.order }] : [];
    const right = latest && later.length >= pages.further ? [{ from: latest.order + 1, before }] : [];
    return { messages: await this.#parsed([...earlier, ...later]), gaps: [...left, ...right] };
  }

  /** Yields the settled messages of a conversation in a range of `sortedAt`, in pages, latest first. */
  settledIn(id: ConversationId, range: Partial<Gap>): AsyncGenerator<readonly ChatMessage[]> {
    return this.#pagesOf(this.#groupsOf(id).settled, range);
  }

  /** Yields what is searched of the settled messages of a conversation, in pages, latest first. */
  async *textsIn(id: ConversationId): AsyncGenerator<readonly SearchedText[]> {
    for await (const records of this.#recordsOf(this.#groupsOf(id).settled)) {
      const bodies = await this.#bodiesOf(records);
      yield records.map((record) => searchedText(record, bodies.get(record.key)));
    }
  }

  async *#pagesOf(group: string, range: Partial<Gap> = {}): AsyncGenerator<readonly ChatMessage[]> {
    for await (const records of this.#recordsOf(group, range)) yield await this.#parsed(records);
  }

  async *#recordsOf(
    group: string,
    { from, before = Number.POSITIVE_INFINITY }: Partial<Gap> = {},
  ): AsyncGenerator<readonly StoredRecord[]> {
    const range = from === undefined ? {} : { from };
    for (let end = before; ; ) {
      const records = await this.#storage.list(group, { ...range, before: end, last: scanned });
      yield records;
      if (records.length < scanned) return;
      end = records[0]?.order ?? end;
    }
  }

  /** Reads the mark of the layout, and so which room's conversation is stored as that of everyone. */
  async readLayout(): Promise<ReturnType<typeof parseLayout>> {
    const layouts = await this.#storage.list(groups.layout);
    const layout = layouts.map(parseLayout).find((parsed) => parsed !== null) ?? null;
    if (layout?.everyoneIs !== undefined) this.#names.restoreFirst(layout.everyoneIs);
    return layout;
  }

  /** Whether we wrote to a client alone. Read without the schema, as for a search. */
  async #hasWrittenTo(clientId: ClientId, selfId: ClientId): Promise<boolean> {
    const { settled, unsent, files } = this.#groupsOf(clientId);
    for (const group of [unsent, files, settled])
      for await (const records of this.#recordsOf(group))
        if (records.some((record) => recordOf(headOf(record)).client === selfId)) return true;
    return false;
  }

  /**
   * Migrates the layouts of earlier versions, once. The first did not count received messages either.
   * @param review decides anew which contacts are accepted
   */
  async arrange(
    selfId: ClientId,
    review: (hasWrittenTo: (clientId: ClientId) => Promise<boolean>) => Promise<void>,
  ): Promise<void> {
    const layouts = await this.#storage.list(groups.layout);
    const layout = await this.readLayout();
    if (layout?.everyoneIs !== undefined && layout.acceptanceReviewed) return;
    const mark = layoutRecord(this.#names.first);
    try {
      await review((clientId) => this.#hasWrittenTo(clientId, selfId));
      if (layout !== null) return await this.#storage.write({ put: [mark] });
      const usages = new Map<ClientId, StorageUsage>();
      for (const id of await this.conversations()) {
        const { settled, files } = this.#groupsOf(id);
        if (layouts.length === 0)
          for await (const messages of this.#pagesOf(settled)) {
            for (const message of messages)
              if (message.client !== selfId)
                usages.set(message.client, withMessage(usages.get(message.client) ?? empty, message));
            const changed = messages.filter((message) => message.type === "file" || !isSettled(message));
            await this.#storage.write({ put: changed.map((message) => messageRecord(message, this.#names)) });
          }
        for await (const messages of this.#pagesOf(files))
          await this.#storage.write({ put: messages.map((message) => messageRecord(message, this.#names)) });
      }
      const put = [...usages].map(([client, usage]) => usageRecord(client, usage));
      await this.#storage.write({ put: [...put, mark] });
    } catch (error) {
      this.#isArranged = layout !== null;
      this.#log.warn("chat storage could not be arranged", { error });
    }
  }
}

const empty: StorageUsage = { bytes: 0, roomBytes: 0, refusedIn: [] };

/**
 * A conversation reduced to its end again. Undelivered texts are kept, and messages about files too: of a file either all
 * messages are in memory or none.
 */
export function trimmed(conversation: Conversation): Conversation {
  const { messages, unread } = conversation;
  const length = endLength(unread);
  const isFew = (all: readonly ChatMessage[]) => all.length <= length + pages.further;
  if (isFew(messages)) return conversation;
  const goes = (message: ChatMessage) => message.type === "text" && isSettled(message);
  const texts = messages.filter((message) => goes(message) && !isInGap(conversation, message));
  const first = texts.at(-length);
  if (first === undefined || isFew(texts)) return conversation;
  const isKept = (message: ChatMessage) => message.sortedAt >= first.sortedAt || !goes(message);
  return {
    ...conversation,
    messages: messages.filter(isKept),
    gaps: [{ from: Number.NEGATIVE_INFINITY, before: first.sortedAt }],
  };
}

/** Orders messages by their place in the conversation, as storage does. */
export function bySortedAt(one: ChatMessage, other: ChatMessage): number {
  return one.sortedAt - other.sortedAt || (one.key < other.key ? -1 : Number(one.key > other.key));
}

/** How many settled messages at the end of a conversation are loaded without being requested. */
function endLength(unread: number): number {
  return Math.min(Math.max(pages.first, unread + 10), pages.firstMax);
}
