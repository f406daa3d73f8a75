import { type ClientId, utf8Length, WarrenError } from "@warren/protocol";
import type { StoredRecord } from "../ports/record-storage.ts";
import type { RecordWriter } from "../shared/storage/record-writer.ts";
import type { WritableStore } from "../shared/store.ts";
import type { ChatState, StorageUsage } from "./chat-state.ts";
import { isRoomConversation } from "./conversation-names.ts";
import type { ChatMessage } from "./message.ts";
import { bodyOf, parseUsage, usageRecord } from "./stored-chat.ts";

const kib = 1024;
const mib = 1024 * kib;
/** The most bytes stored from one unverified client, and from all unverified clients together. */
const limits = { perClient: 32 * mib, together: 256 * mib } as const;
/** Bytes counted per message beyond its content. Open offers are always in memory, so each counts more. */
const overheadBytes = { text: 512, call: 512, file: 4 * kib } as const;
/** A client's first message also stores its contact, whose picture has up to 64 KiB. */
const nothing: StorageUsage = { bytes: 64 * kib, roomBytes: 0, refusedIn: [] };

/** The bytes a received message counts for. */
export function usageBytesOf(message: ChatMessage): number {
  const thumbnail = message.type === "file" ? (message.thumbnail ?? "") : "";
  return utf8Length(bodyOf(message) + thumbnail) + overheadBytes[message.type];
}

/** The client whose quota a message uses. */
function chargedTo({ client, countedFor = client }: ChatMessage): ClientId {
  return countedFor;
}

/** A usage with a message counted in. @param bytes its size; negative to subtract it. */
export function withMessage(
  usage: StorageUsage,
  message: ChatMessage,
  bytes = usageBytesOf(message),
): StorageUsage {
  const sum = (before: number) => Math.max(0, before + bytes);
  const roomBytes = isRoomConversation(message.conversation) ? sum(usage.roomBytes) : usage.roomBytes;
  return { ...usage, bytes: sum(usage.bytes), roomBytes };
}

/** Counts the message bytes each client has stored here and enforces the limits for unverified clients. */
export class StorageUsages {
  readonly #store: WritableStore<ChatState>;
  readonly #writer: RecordWriter;

  constructor(deps: { store: WritableStore<ChatState>; writer: RecordWriter }) {
    this.#store = deps.store;
    this.#writer = deps.writer;
  }

  /** Restores the counts of an earlier page. */
  restore(records: readonly StoredRecord[]): void {
    const usages = records.map(parseUsage).filter((usage) => usage !== null);
    this.#store.setState({
      storageUsage: Object.fromEntries(usages.map(({ client, ...usage }) => [client, usage])),
    });
  }

  /** Counts a message that a client sent or requested. @returns the count to store with it. @throws WarrenError `history-full`. */
  add(message: ChatMessage): StoredRecord {
    const { conversation } = message;
    const client = chargedTo(message);
    const before = this.#of(client);
    const after = withMessage(before, message);
    const { refusedIn } = before;
    if (after.bytes <= this.#limitFor(client))
      return this.#set(client, { ...after, refusedIn: refusedIn.filter((id) => id !== conversation) });
    if (!refusedIn.includes(conversation))
      this.#writer.write({
        put: [this.#set(client, { ...before, refusedIn: [...refusedIn, conversation] })],
      });
    throw new WarrenError("history-full", { limitBytes: limits.perClient });
  }

  /** Counts what a changed message has more or less. @returns the count to store with it. @throws WarrenError `history-full`. */
  change(before: ChatMessage, after: ChatMessage): readonly StoredRecord[] {
    const bytes = usageBytesOf(after) - usageBytesOf(before);
    if (bytes === 0) return [];
    const client = chargedTo(before);
    const usage = withMessage(this.#of(client), before, bytes);
    if (bytes > 0 && usage.bytes > this.#limitFor(client))
      throw new WarrenError("history-full", { limitBytes: limits.perClient });
    return [this.#set(client, usage)];
  }

  /** Subtracts a deleted or unstored message. @returns the count to store; empty if none was stored. */
  subtract(message: ChatMessage): readonly StoredRecord[] {
    const client = chargedTo(message);
    if (!Object.hasOwn(this.#store.getState().storageUsage, client)) return [];
    return [this.#set(client, withMessage(this.#of(client), message, -usageBytesOf(message)))];
  }

  /** Counts bytes added to an existing message. @returns the count to store with it. */
  addBytes(message: ChatMessage, bytes: number): StoredRecord {
    const client = chargedTo(message);
    return this.#set(client, withMessage(this.#of(client), message, bytes));
  }

  /** What a client still has stored here without its contact and its own conversation; null if nothing. */
  withoutContact(client: ClientId): StorageUsage | null {
    const roomBytes = this.#store.getState().storageUsage[client]?.roomBytes ?? 0;
    return roomBytes > 0 ? { bytes: nothing.bytes + roomBytes, roomBytes, refusedIn: [] } : null;
  }

  #limitFor(client: ClientId): number {
    if (this.#isVerified(client)) return Number.POSITIVE_INFINITY;
    const ofOthers = Object.entries(this.#store.getState().storageUsage)
      .filter(([id]) => id !== client && !this.#isVerified(id))
      .reduce((sum, [, usage]) => sum + (usage?.bytes ?? 0), 0);
    return Math.min(limits.perClient, limits.together - ofOthers);
  }

  #isVerified(client: ClientId): boolean {
    return this.#store.getState().contacts[client]?.trustLevel === "verified";
  }

  #of(client: ClientId): StorageUsage {
    return this.#store.getState().storageUsage[client] ?? nothing;
  }

  #set(client: ClientId, usage: StorageUsage): StoredRecord {
    this.#store.setState((state) => ({ storageUsage: { ...state.storageUsage, [client]: usage } }));
    return usageRecord(client, usage);
  }
}
