import type { ClientId } from "@warren/protocol";
import type { RecordRange, RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import type { Log } from "../shared/log.ts";
import { type Conversation, type Gap, type Intake, isInGap } from "./chat-state.ts";
import { intakeBytesOf } from "./intakes.ts";
import type { ChatMessage, ConversationId } from "./message.ts";
import {
  conversationGroups,
  conversationOfGroup,
  groups,
  intakeRecord,
  isSettledText,
  layoutRecord,
  messageRecord,
  parseMessage,
} from "./stored-chat.ts";

/**
 * Page sizes: the texts loaded first (or all unread ones up to `firstMax`), and those loaded with each further page.
 */
const pages = { first: 50, firstMax: 1_000, further: 200 } as const;
/** Page size when all texts of a conversation are scanned. */
const scanned = 1_000;

/** Loads stored conversations: their end when the page opens, the rest in pages. */
export class StoredHistory {
  readonly #storage: RecordStorage;
  readonly #log: Log;
  /** Whether files and unsent texts have their own groups; until then a conversation has to be loaded whole. */
  #isArranged = true;

  constructor(deps: { storage: RecordStorage; log: Log }) {
    this.#storage = deps.storage;
    this.#log = deps.log;
  }

  /** The conversations that have messages. */
  async conversations(): Promise<ReadonlySet<ConversationId>> {
    const names = await this.#storage.groups();
    return new Set(names.map(conversationOfGroup).filter((id) => id !== null));
  }

  /** The end of a conversation, with its files, unsent texts and number of unread messages. */
  async end(id: ConversationId, selfId: ClientId, readUntil: number): Promise<Conversation> {
    const { texts, unsent, files } = conversationGroups(id);
    // Our own messages move the read mark too, so only received ones are counted.
    const unreadTexts = await this.#storage.countAfter(texts, readUntil);
    const last = this.#isArranged ? endLength(unreadTexts) : Number.POSITIVE_INFINITY;
    const [textRecords, ...others] = await Promise.all([
      this.#storage.list(texts, this.#isArranged ? { last } : {}),
      this.#storage.list(unsent),
      this.#storage.list(files),
    ]);
    const inWhole = parsed(others.flat());
    const isUnread = ({ client, sortedAt }: ChatMessage) => client !== selfId && sortedAt > readUntil;
    return {
      messages: [...parsed(textRecords), ...inWhole].sort(bySortedAt),
      unread: unreadTexts + inWhole.filter(isUnread).length,
      gaps: gapBefore(textRecords.length < last ? undefined : textRecords[0]),
    };
  }

  /** The texts of a gap on both sides of a place in it, and the remaining gaps. */
  async around(
    id: ConversationId,
    { from, before }: Gap,
    place: number,
  ): Promise<{ texts: readonly ChatMessage[]; gaps: readonly Gap[] }> {
    const read = (range: RecordRange) => this.#storage.list(conversationGroups(id).texts, range);
    const [earlier, later] = await Promise.all([
      read({ from, before: Math.min(place, before), last: pages.further }),
      read({ from: place, before, first: pages.further }),
    ]);
    const [earliest, latest] = [earlier[0], later.at(-1)];
    const left = earliest && earlier.length >= pages.further ? [{ from, before: earliest.order }] : [];
    const right = latest && later.length >= pages.further ? [{ from: latest.order + 1, before }] : [];
    return { texts: parsed([...earlier, ...later]), gaps: [...left, ...right] };
  }

  /** Yields the stored texts of a conversation before a `sortedAt`, in pages, latest first. */
  async *textsBefore(id: ConversationId, sortedAt: number): AsyncGenerator<readonly ChatMessage[]> {
    for (let before = sortedAt; ; ) {
      const records = await this.#storage.list(conversationGroups(id).texts, { before, last: scanned });
      yield parsed(records);
      if (records.length < scanned) return;
      before = records[0]?.order ?? before;
    }
  }

  /** Migrates the groups of earlier versions, once, and counts received messages. */
  async arrange(selfId: ClientId): Promise<void> {
    if ((await this.#storage.list(groups.layout)).length > 0) return;
    try {
      const bytes = new Map<ClientId, number>();
      for (const id of await this.conversations()) {
        for await (const messages of this.textsBefore(id, Number.POSITIVE_INFINITY)) {
          for (const message of messages)
            if (message.client !== selfId)
              bytes.set(message.client, (bytes.get(message.client) ?? 0) + intakeBytesOf(message));
          await this.#storage.write({ put: messages.filter((m) => !isSettledText(m)).map(messageRecord) });
        }
      }
      const intakes: [ClientId, Intake][] = [...bytes].map(([id, sum]) => [
        id,
        { bytes: sum, refusedIn: [] },
      ]);
      const put = intakes.map(([client, intake]) => intakeRecord(client, intake));
      await this.#storage.write({ put: [...put, layoutRecord] });
    } catch (error) {
      this.#isArranged = false;
      this.#log.warn("chat storage could not be arranged", { error });
    }
  }
}

/** A conversation reduced to its end again; files and undelivered texts are kept. */
export function trimmed(conversation: Conversation): Conversation {
  const { messages, unread } = conversation;
  const length = endLength(unread);
  const isFew = (all: readonly ChatMessage[]) => all.length <= length + pages.further;
  if (isFew(messages)) return conversation;
  const texts = messages.filter((message) => isSettledText(message) && !isInGap(conversation, message));
  const first = texts.at(-length);
  if (first === undefined || isFew(texts)) return conversation;
  const isKept = (message: ChatMessage) => message.sortedAt >= first.sortedAt || !isSettledText(message);
  return {
    ...conversation,
    messages: messages.filter(isKept),
    gaps: [{ from: Number.NEGATIVE_INFINITY, before: first.sortedAt }],
  };
}

/** Orders messages by their place in the conversation. */
export function bySortedAt(one: ChatMessage, other: ChatMessage): number {
  return one.sortedAt - other.sortedAt;
}

/** How many texts at the end of a conversation are loaded without being requested. */
function endLength(unread: number): number {
  return Math.min(Math.max(pages.first, unread + 10), pages.firstMax);
}

function gapBefore(record: StoredRecord | undefined): readonly Gap[] {
  return record ? [{ from: Number.NEGATIVE_INFINITY, before: record.order }] : [];
}

function parsed(records: readonly StoredRecord[]): readonly ChatMessage[] {
  return records.map(parseMessage).filter((message) => message !== null);
}
