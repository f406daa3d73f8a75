import type { ClientId } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { Clock } from "../ports/clock.ts";
import type { RecordStorage } from "../ports/record-storage.ts";
import type { Log } from "../shared/log.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { ChatState, Contact, Conversation } from "./chat-state.ts";
import type { ChatMessage, ConversationId, MessageKey } from "./message.ts";
import {
  contactRecord,
  groups,
  messageRecord,
  parseContact,
  parseMessage,
  parseReadUntil,
  readRecord,
} from "./stored-chat.ts";

const emptyConversation: Conversation = { messages: [], unread: 0 };
const clipboardTextsMax = 50;

/** Someone as a session shows them; without `avatar` the picture we know stays. */
export type SeenClient = Pick<Contact, "clientId" | "name" | "proven"> & Partial<Pick<Contact, "avatar">>;

/** Everything said and everyone met, in storage and in the store. The only writer of {@link ChatState}. */
export class MessageLog {
  readonly store: ReadableStore<ChatState>;
  readonly #store = createStore<ChatState>({
    loaded: false,
    contacts: {},
    conversations: {},
    clipboards: {},
    open: null,
  });
  readonly #places = new Map<MessageKey, ConversationId>();
  readonly #storage: RecordStorage;
  readonly #clock: Clock;
  readonly #log: Log;
  #lastSortedAt = 0;

  constructor(deps: { storage: RecordStorage; clock: Clock; log: Log }) {
    this.#storage = deps.storage;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.store = this.#store;
  }

  /**
   * Reads everything from storage. `revive` sees each message once and may change it (a transfer cannot be under way).
   * @throws WarrenError `storage-failed`.
   */
  async load(selfId: ClientId, revive: (message: ChatMessage) => ChatMessage): Promise<void> {
    const [contactRecords, readRecords, groupNames] = await Promise.all([
      this.#storage.list(groups.contacts),
      this.#storage.list(groups.reads),
      this.#storage.groups(),
    ]);
    const contacts = contactRecords.map(parseContact).filter((contact) => contact !== null);
    const readUntil = new Map(readRecords.map((record) => [record.key, parseReadUntil(record)]));
    const conversations: Record<string, Conversation> = {};
    for (const group of groupNames.filter((name) => name.startsWith(groups.messages))) {
      const id = group.slice(groups.messages.length);
      const messages = (await this.#storage.list(group))
        .map(parseMessage)
        .filter((message) => message !== null);
      const read = readUntil.get(`read/${id}`) ?? 0;
      conversations[id] = {
        messages: messages.map(revive),
        unread: messages.filter((message) => message.client !== selfId && message.sortedAt > read).length,
      };
      for (const message of messages) this.#place(message);
    }
    this.#store.setState({
      loaded: true,
      contacts: Object.fromEntries(contacts.map((contact) => [contact.clientId, contact])),
      conversations,
    });
  }

  /** A place at the end of every conversation, by our own clock, never before what is already there. */
  nextSortedAt(): number {
    this.#lastSortedAt = Math.max(this.#clock.now(), this.#lastSortedAt + 1);
    return this.#lastSortedAt;
  }

  /** The message of a key, if it is known. */
  find(key: MessageKey): ChatMessage | undefined {
    const conversation = this.#places.get(key);
    if (conversation === undefined) return undefined;
    return this.conversation(conversation).messages.findLast((message) => message.key === key);
  }

  conversation(id: ConversationId): Conversation {
    return this.#store.getState().conversations[id] ?? emptyConversation;
  }

  /** Every message of every conversation. */
  *all(): Generator<ChatMessage> {
    for (const conversation of Object.values(this.#store.getState().conversations)) {
      if (conversation) yield* conversation.messages;
    }
  }

  /**
   * Stores a message unless it is known, and shows it once it is durable.
   * @returns whether it is new.
   * @throws WarrenError `storage-failed`; the message is not shown then.
   */
  async add(message: ChatMessage, options: { read: boolean }): Promise<boolean> {
    if (this.#places.has(message.key)) return false;
    this.#place(message);
    try {
      if (!(await this.#storage.addIfAbsent(messageRecord(message)))) return false;
    } catch (error) {
      this.#places.delete(message.key);
      throw error;
    }
    const { messages, unread } = this.conversation(message.conversation);
    const isRead = options.read || this.#store.getState().open === message.conversation;
    this.#setConversation(message.conversation, {
      messages: insertSorted(messages, message),
      unread: isRead ? unread : unread + 1,
    });
    if (isRead) this.#saveRead(message.conversation);
    return true;
  }

  /** Changes a message; does nothing when it is unknown or `change` gives the same object back. */
  update(key: MessageKey, change: (message: ChatMessage) => ChatMessage): void {
    const before = this.find(key);
    if (!before) return;
    const after = change(before);
    if (after === before) return;
    const conversation = this.conversation(before.conversation);
    this.#setConversation(before.conversation, {
      ...conversation,
      messages: conversation.messages.map((message) => (message.key === key ? after : message)),
    });
    this.#write({ put: [messageRecord(after)] });
  }

  remove(key: MessageKey): void {
    const id = this.#places.get(key);
    if (id === undefined) return;
    this.#places.delete(key);
    const conversation = this.conversation(id);
    this.#setConversation(id, {
      ...conversation,
      messages: conversation.messages.filter((message) => message.key !== key),
    });
    this.#write({ delete: [key] });
  }

  /** Someone we have met, if we have. */
  contact(clientId: ClientId): Contact | undefined {
    return this.#store.getState().contacts[clientId];
  }

  /** Remembers someone, keeping when we first met and what we know of them. */
  remember(seen: SeenClient): void {
    const { clientId, name } = seen;
    const known = this.contact(clientId) ?? stranger(clientId, this.#clock.now());
    const { avatar = known.avatar } = seen;
    this.#saveContact({ ...known, name, avatar, proven: seen.proven || known.proven });
  }

  /** Changes what is known of someone; does nothing when we have not met. */
  changeContact(clientId: ClientId, change: Partial<Omit<Contact, "clientId" | "createdAt">>): void {
    const known = this.contact(clientId);
    if (known !== undefined) this.#saveContact({ ...known, ...change });
  }

  /** Keeps a clipboard text that came until the page closes. */
  addClipboardText(from: ClientId, text: string): void {
    const texts = this.#store.getState().clipboards[from] ?? [];
    const next = [{ text, receivedAt: this.#clock.now() }, ...texts].slice(0, clipboardTextsMax);
    this.#store.setState((state) => ({ clipboards: { ...state.clipboards, [from]: next } }));
  }

  /** Forgets the clipboard texts of someone. */
  clearClipboardTexts(from: ClientId): void {
    this.#store.setState(({ clipboards: { [from]: _gone, ...clipboards } }) => ({ clipboards }));
  }

  /**
   * Forgets someone and what was said with them alone: first in storage, then on the screen, so that nobody who was seen
   * to go is back after a reload.
   * @throws WarrenError `storage-failed`; everything stays then.
   */
  async forget(clientId: ClientId): Promise<void> {
    const known = this.contact(clientId);
    const { messages } = this.conversation(clientId);
    // What is said of them from now on would be written after the deletion, and be back.
    for (const message of messages) this.#places.delete(message.key);
    try {
      const further = { delete: [`contact/${clientId}`, `read/${clientId}`] };
      await this.#storage.deleteGroup(groups.messages + clientId, further);
    } catch (error) {
      for (const message of messages) this.#place(message);
      throw error;
    }
    for (const message of this.conversation(clientId).messages) this.#places.delete(message.key);
    this.#store.setState((state) => {
      const { [clientId]: contact, ...contacts } = state.contacts;
      const { [clientId]: _conversation, ...conversations } = state.conversations;
      const { [clientId]: _clipboard, ...clipboards } = state.clipboards;
      // Who was met anew meanwhile is in storage again, and so stays.
      return { contacts: contact === known ? contacts : state.contacts, conversations, clipboards };
    });
  }

  /** Marks which conversation is on the screen and reads it. */
  open(id: ConversationId | null): void {
    this.#store.setState({ open: id });
    if (id === null) return;
    const conversation = this.conversation(id);
    if (conversation.unread === 0) return;
    this.#setConversation(id, { ...conversation, unread: 0 });
    this.#saveRead(id);
  }

  #saveContact(contact: Contact): void {
    const { clientId } = contact;
    const known = this.contact(clientId);
    if (known !== undefined && shallow(known, contact)) return;
    this.#store.setState((state) => ({ contacts: { ...state.contacts, [clientId]: contact } }));
    this.#write({ put: [contactRecord(contact)] });
  }

  #place(message: ChatMessage): void {
    this.#places.set(message.key, message.conversation);
    this.#lastSortedAt = Math.max(this.#lastSortedAt, message.sortedAt);
  }

  #saveRead(id: ConversationId): void {
    const readUntil = this.conversation(id).messages.at(-1)?.sortedAt ?? 0;
    this.#write({ put: [readRecord(id, readUntil)] });
  }

  #setConversation(id: ConversationId, conversation: Conversation): void {
    this.#store.setState((state) => ({ conversations: { ...state.conversations, [id]: conversation } }));
  }

  /** Later writes of one key follow earlier ones, because storage keeps the order of transactions. */
  #write(changes: Parameters<RecordStorage["write"]>[0]): void {
    this.#storage.write(changes).catch((error: unknown) => this.#log.warn("chat storage failed", { error }));
  }
}

function stranger(clientId: ClientId, createdAt: number): Contact {
  return {
    clientId,
    name: "",
    avatar: null,
    proven: false,
    standing: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
    redirect: false,
    createdAt,
  };
}

function insertSorted(messages: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  const at = messages.findLastIndex((other) => other.sortedAt <= message.sortedAt) + 1;
  return messages.toSpliced(at, 0, message);
}
