import { type ClientId, utf8Length, WarrenError } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { Clock } from "../ports/clock.ts";
import type { RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import type { Log } from "../shared/log.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { ChatState, Contact, Conversation, Intake } from "./chat-state.ts";
import type { ChatMessage, ConversationId, MessageKey } from "./message.ts";
import { RecordWriter } from "./record-writer.ts";
import {
  contactRecord,
  conversationGroups,
  conversationOfGroup,
  groups,
  intakeRecord,
  isSettledText,
  layoutRecord,
  messageRecord,
  parseContact,
  parseIntake,
  parseMessage,
  parseReadUntil,
  readRecord,
} from "./stored-chat.ts";

const emptyConversation: Conversation = { messages: [], unread: 0 };
const emptyIntake: Intake = { bytes: 0, refusedIn: [] };
const clipboardTextsMax = 50;

/** How many texts of a conversation are read at first, or all unread ones up to `firstMax`, and how many with each page. */
const pages = { first: 50, firstMax: 1_000, further: 200 } as const;
/** How many texts are read at a time where all of them are passed through. */
const scanned = 1_000;

const mib = 1024 ** 2;
/** What is stored at most from one client that is not verified, and from all of them. */
const intakeLimits = { perClient: 32 * mib, together: 256 * mib } as const;
/** What a message takes in storage besides its own words. */
const messageOverheadBytes = 512;

/** Someone as a session shows them; without `avatar` the picture we know stays. */
export type SeenClient = Pick<Contact, "clientId" | "name" | "proven"> & Partial<Pick<Contact, "avatar">>;

/**
 * Everything said and everyone met, in storage and in the store. The only writer of {@link ChatState}. Of a long
 * conversation the end is in memory, and more as it is asked for.
 */
export class MessageLog {
  readonly store: ReadableStore<ChatState>;
  readonly #store = createStore<ChatState>({
    loaded: false,
    contacts: {},
    conversations: {},
    intakes: {},
    clipboards: {},
    open: null,
    unsaved: 0,
  });
  /** The conversation of each message in memory. */
  readonly #places = new Map<MessageKey, ConversationId>();
  /** The contacts that are in storage: one we exchanged nothing with is gone with the page. */
  readonly #kept = new Set<ClientId>();
  readonly #loading = new Map<ConversationId, Promise<void>>();
  readonly #storage: RecordStorage;
  readonly #writer: RecordWriter;
  readonly #clock: Clock;
  readonly #log: Log;
  #revive: (message: ChatMessage) => ChatMessage = (message) => message;
  /** The conversation that is, or was last, on the screen. */
  #reading: ConversationId | null = null;
  #lastSortedAt = 0;

  constructor(deps: { storage: RecordStorage; clock: Clock; log: Log }) {
    this.#storage = deps.storage;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.store = this.#store;
    const onWaiting = (unsaved: number) => {
      if (this.#store.getState().unsaved !== unsaved) this.#store.setState({ unsaved });
    };
    this.#writer = new RecordWriter({ ...deps, onWaiting });
  }

  /**
   * Reads people, files, and the end of every conversation. `revive` sees each message once and may change it (a transfer
   * cannot be under way).
   * @throws WarrenError `storage-failed`.
   */
  async load(selfId: ClientId, revive: (message: ChatMessage) => ChatMessage): Promise<void> {
    this.#revive = revive;
    const isArranged = await this.#arrange(selfId);
    const [contactRecords, readRecords, intakeRecords, groupNames] = await Promise.all([
      this.#storage.list(groups.contacts),
      this.#storage.list(groups.reads),
      this.#storage.list(groups.intakes),
      this.#storage.groups(),
    ]);
    const contacts = contactRecords.map(parseContact).filter((contact) => contact !== null);
    for (const { clientId } of contacts) this.#kept.add(clientId);
    const intakes = intakeRecords.map(parseIntake).filter((intake) => intake !== null);
    const readUntil = new Map(readRecords.map((record) => [record.key, parseReadUntil(record)]));
    const ids = new Set(groupNames.map(conversationOfGroup).filter((id) => id !== null));
    const conversations: Record<string, Conversation> = {};
    for (const id of ids)
      conversations[id] = await this.#readEnd(id, selfId, readUntil.get(`read/${id}`) ?? 0, isArranged);
    this.#store.setState({
      loaded: true,
      contacts: Object.fromEntries(contacts.map((contact) => [contact.clientId, contact])),
      conversations,
      intakes: Object.fromEntries(intakes.map(({ client, ...intake }) => [client, intake])),
    });
  }

  /**
   * Loads more of a conversation: the next page, or all from `until` on, which is a `sortedAt`.
   * @throws WarrenError `storage-failed`.
   */
  loadEarlier(id: ConversationId, until?: number): Promise<void> {
    const before = this.#loading.get(id) ?? Promise.resolve();
    const loading = before.catch(() => {}).then(() => this.#loadEarlier(id, until));
    this.#loading.set(id, loading);
    return loading.finally(() => {
      if (this.#loading.get(id) === loading) this.#loading.delete(id);
    });
  }

  /** The stored texts of a conversation before a `sortedAt`, a page at a time, the latest first. */
  async *textsBefore(id: ConversationId, sortedAt: number): AsyncGenerator<readonly ChatMessage[]> {
    for (let before = sortedAt; ; ) {
      const records = await this.#storage.list(conversationGroups(id).texts, { before, last: scanned });
      yield this.#parse(records);
      if (records.length < scanned) return;
      before = records[0]?.order ?? before;
    }
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
   * Stores a message unless it is known, and shows it once it is durable. One that storage refuses is shown too, and
   * stored later: {@link stored} tells when.
   * @param options.read whether it needs no reading: what is written here, in contrast to what is received.
   * @returns whether it is new.
   * @throws WarrenError `storage-full` or `storage-failed` when too much waits for storage, or `history-full` where nothing
   * more of its sender is stored; the message is not shown then.
   */
  async add(message: ChatMessage, options: { read: boolean }): Promise<boolean> {
    const { key, client, conversation: id } = message;
    if (this.#places.has(key)) return false;
    if (!options.read) this.#takeIn(message);
    this.#place(message);
    const isReadAtOnce = options.read || this.#store.getState().open === id;
    const newContacts = this.#contactsOf(message).filter(({ clientId }) => !this.#kept.has(clientId));
    const intake = this.#store.getState().intakes[client];
    let isNew: boolean;
    try {
      isNew = await this.#writer.add(messageRecord(message), {
        put: [
          ...newContacts.map(contactRecord),
          ...(isReadAtOnce ? [readRecord(id, this.#lastOf(id, message))] : []),
          ...(intake && !options.read ? [intakeRecord(client, intake)] : []),
        ],
      });
    } catch (error) {
      this.#forgetPlaces([message]);
      if (!options.read) this.#giveBack(message);
      throw error;
    }
    if (!isNew) {
      this.#forgetPlaces([message]);
      if (!options.read) this.#giveBack(message);
      return false;
    }
    for (const { clientId } of newContacts) this.#kept.add(clientId);
    const isRead = isReadAtOnce || this.#store.getState().open === id;
    const before = this.conversation(id);
    const { messages, unread } = before;
    this.#setConversation(id, {
      ...before,
      messages: insertSorted(messages, message),
      unread: isRead ? unread : unread + 1,
    });
    if (isRead && !isReadAtOnce) this.#saveRead(id);
    if (this.#reading !== id) this.#trim(id);
    return true;
  }

  /** Resolves once a message is durable, which is at once for all that storage took. */
  stored(key: MessageKey): Promise<void> {
    return this.#writer.stored(key);
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
    this.#writer.write({ put: [messageRecord(after)] });
  }

  /** Adds the thumbnail of somebody's offer, which counts among what they have stored here. */
  addThumbnail(key: MessageKey, thumbnail: string): void {
    const message = this.find(key);
    if (message?.type !== "file") return;
    const { bytes, refusedIn } = this.#store.getState().intakes[message.client] ?? emptyIntake;
    const intake = this.#setIntake(message.client, { bytes: bytes + thumbnail.length, refusedIn });
    this.#writer.write({ put: [intakeRecord(message.client, intake)] });
    this.update(key, () => ({ ...message, thumbnail }));
  }

  remove(key: MessageKey): void {
    const id = this.#places.get(key);
    if (id === undefined) return;
    const message = this.find(key);
    this.#places.delete(key);
    const conversation = this.conversation(id);
    this.#setConversation(id, {
      ...conversation,
      messages: conversation.messages.filter((other) => other.key !== key),
    });
    const intakes = this.#store.getState().intakes;
    if (message === undefined || !Object.hasOwn(intakes, message.client))
      this.#writer.write({ delete: [key] });
    else this.#writer.write({ put: [intakeRecord(message.client, this.#giveBack(message))], delete: [key] });
  }

  /** Someone we have met, if we have. */
  contact(clientId: ClientId): Contact | undefined {
    return this.#store.getState().contacts[clientId];
  }

  /**
   * Remembers someone, keeping when we first met and what we know of them: until the page closes, or for good once we
   * have exchanged something or something was decided about them.
   */
  remember(seen: SeenClient): void {
    const { clientId, name } = seen;
    const known = this.contact(clientId) ?? stranger(clientId, this.#clock.now());
    const { avatar = known.avatar } = seen;
    this.#saveContact({ ...known, name, avatar, proven: seen.proven || known.proven });
  }

  /** Decides something about someone, who is kept from then on; does nothing when we have not met. */
  changeContact(clientId: ClientId, change: Partial<Omit<Contact, "clientId" | "createdAt">>): void {
    const known = this.contact(clientId);
    if (known === undefined || shallow(known, { ...known, ...change })) return;
    this.#kept.add(clientId);
    this.#saveContact({ ...known, ...change });
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
    const wasKept = this.#kept.delete(clientId);
    // What is said of them from now on would be written after the deletion, and be back.
    this.#forgetPlaces(messages);
    const unsaved = this.#writer.drop(messages.map(({ key }) => key));
    try {
      const further = { delete: [`contact/${clientId}`, `read/${clientId}`, `intake/${clientId}`] };
      await this.#storage.deleteGroups(Object.values(conversationGroups(clientId)), further);
    } catch (error) {
      if (wasKept) this.#kept.add(clientId);
      for (const message of messages) this.#place(message);
      this.#writer.restore(unsaved);
      throw error;
    }
    this.#forgetPlaces(this.conversation(clientId).messages);
    this.#store.setState((state) => {
      const { [clientId]: contact, ...contacts } = state.contacts;
      const { [clientId]: _conversation, ...conversations } = state.conversations;
      const { [clientId]: _clipboard, ...clipboards } = state.clipboards;
      const { [clientId]: _intake, ...intakes } = state.intakes;
      // Who was met anew meanwhile stays.
      return { contacts: contact === known ? contacts : state.contacts, conversations, clipboards, intakes };
    });
  }

  /** Marks which conversation is on the screen and reads it. */
  open(id: ConversationId | null): void {
    this.#store.setState({ open: id });
    if (id === null) return;
    // A window that is hidden for a while keeps what was scrolled back to.
    if (this.#reading !== id) {
      const left = this.#reading;
      this.#reading = id;
      if (left !== null) this.#trim(left);
    }
    const conversation = this.conversation(id);
    if (conversation.unread === 0) return;
    this.#setConversation(id, { ...conversation, unread: 0 });
    this.#saveRead(id);
  }

  /** Stores once more what waits, as far as storage takes it. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  #saveContact(contact: Contact): void {
    const { clientId } = contact;
    const known = this.contact(clientId);
    if (known !== undefined && shallow(known, contact)) return;
    this.#store.setState((state) => ({ contacts: { ...state.contacts, [clientId]: contact } }));
    if (this.#kept.has(clientId)) this.#writer.write({ put: [contactRecord(contact)] });
  }

  /** The people we know that wrote a message or are written to by it. */
  #contactsOf({ client, conversation, deliveries }: ChatMessage): readonly Contact[] {
    return [...new Set([client, conversation, ...Object.keys(deliveries)])]
      .map((id) => this.contact(id))
      .filter((contact) => contact !== undefined);
  }

  /** Counts a message among what its sender has stored here. @throws WarrenError `history-full`. */
  #takeIn(message: ChatMessage): void {
    const { client, conversation } = message;
    const { intakes, contacts } = this.#store.getState();
    const { bytes, refusedIn } = intakes[client] ?? emptyIntake;
    const after = bytes + storedBytesOf(message);
    const isVerified = (id: string) => contacts[id]?.standing === "verified";
    if (!isVerified(client)) {
      const ofOthers = Object.entries(intakes)
        .filter(([id]) => id !== client && !isVerified(id))
        .reduce((sum, [, intake]) => sum + (intake?.bytes ?? 0), 0);
      const limitBytes = Math.min(intakeLimits.perClient, intakeLimits.together - ofOthers);
      if (after > limitBytes) {
        if (!refusedIn.includes(conversation)) {
          const intake = this.#setIntake(client, { bytes, refusedIn: [...refusedIn, conversation] });
          this.#writer.write({ put: [intakeRecord(client, intake)] });
        }
        throw new WarrenError("history-full", { limitBytes: intakeLimits.perClient });
      }
    }
    this.#setIntake(client, { bytes: after, refusedIn: refusedIn.filter((id) => id !== conversation) });
  }

  #giveBack(message: ChatMessage): Intake {
    const { bytes, refusedIn } = this.#store.getState().intakes[message.client] ?? emptyIntake;
    return this.#setIntake(message.client, { bytes: Math.max(0, bytes - storedBytesOf(message)), refusedIn });
  }

  #setIntake(client: ClientId, intake: Intake): Intake {
    this.#store.setState((state) => ({ intakes: { ...state.intakes, [client]: intake } }));
    return intake;
  }

  async #readEnd(
    id: ConversationId,
    selfId: ClientId,
    readUntil: number,
    isArranged: boolean,
  ): Promise<Conversation> {
    const { texts, unsent, files } = conversationGroups(id);
    // What we write ourselves is read with it, so that only what is received counts.
    const unreadTexts = await this.#storage.countAfter(texts, readUntil);
    const last = isArranged ? endLength(unreadTexts) : Number.POSITIVE_INFINITY;
    const [textRecords, ...others] = await Promise.all([
      this.#storage.list(texts, isArranged ? { last } : {}),
      this.#storage.list(unsent),
      this.#storage.list(files),
    ]);
    const inWhole = this.#parse(others.flat());
    const messages = [...this.#parse(textRecords), ...inWhole].map(this.#revive).sort(bySortedAt);
    for (const message of messages) this.#place(message);
    const isUnread = ({ client, sortedAt }: ChatMessage) => client !== selfId && sortedAt > readUntil;
    return {
      messages,
      unread: unreadTexts + inWhole.filter(isUnread).length,
      loadedFrom: textRecords.length < last ? undefined : textRecords[0]?.order,
    };
  }

  async #loadEarlier(id: ConversationId, until: number | undefined): Promise<void> {
    const { loadedFrom } = this.conversation(id);
    if (loadedFrom === undefined || (until !== undefined && until >= loadedFrom)) return;
    const range = until === undefined ? { last: pages.further } : { from: until };
    const records = await this.#storage.list(conversationGroups(id).texts, { before: loadedFrom, ...range });
    const conversation = this.conversation(id);
    // It was deleted, or put away, meanwhile.
    if (conversation.loadedFrom !== loadedFrom) return;
    const earlier = this.#parse(records).filter(({ key }) => !this.#places.has(key));
    for (const message of earlier) this.#place(message);
    const from = until ?? (records.length < pages.further ? 0 : (records[0]?.order ?? 0));
    this.#setConversation(id, {
      ...conversation,
      messages: [...earlier, ...conversation.messages].sort(bySortedAt),
      loadedFrom: from > 0 ? from : undefined,
    });
  }

  /** Puts all but the end of a long conversation away; files and what is still to be delivered stay. */
  #trim(id: ConversationId): void {
    const conversation = this.conversation(id);
    const { messages, unread, loadedFrom = 0 } = conversation;
    const length = endLength(unread);
    if (messages.length <= length + pages.further) return;
    const texts = messages.filter((message) => message.sortedAt >= loadedFrom && isSettledText(message));
    const first = texts.at(-length);
    if (first === undefined || texts.length <= length + pages.further) return;
    const isKept = (message: ChatMessage) => message.sortedAt >= first.sortedAt || !isSettledText(message);
    this.#forgetPlaces(messages.filter((message) => !isKept(message)));
    this.#setConversation(id, {
      ...conversation,
      messages: messages.filter(isKept),
      loadedFrom: first.sortedAt,
    });
  }

  /**
   * Puts what earlier versions stored into its groups, once, and counts what was received.
   * @returns whether that is done; where it cannot be written, conversations have to be read whole.
   */
  async #arrange(selfId: ClientId): Promise<boolean> {
    if ((await this.#storage.list(groups.layout)).length > 0) return true;
    try {
      const intakes = new Map<ClientId, Intake>();
      for (const group of await this.#storage.groups()) {
        const id = conversationOfGroup(group);
        if (id === null) continue;
        for await (const messages of this.textsBefore(id, Number.POSITIVE_INFINITY)) {
          const received = messages.filter(({ client }) => client !== selfId);
          for (const message of received) {
            const { bytes } = intakes.get(message.client) ?? emptyIntake;
            intakes.set(message.client, { bytes: bytes + storedBytesOf(message), refusedIn: [] });
          }
          await this.#storage.write({ put: messages.filter((m) => !isSettledText(m)).map(messageRecord) });
        }
      }
      const put = [...intakes].map(([client, intake]) => intakeRecord(client, intake));
      await this.#storage.write({ put: [...put, layoutRecord] });
      return true;
    } catch (error) {
      this.#log.warn("chat storage could not be arranged", { error });
      return false;
    }
  }

  #parse(records: readonly StoredRecord[]): readonly ChatMessage[] {
    return records.map(parseMessage).filter((message) => message !== null);
  }

  #lastOf(id: ConversationId, message: ChatMessage): number {
    return Math.max(message.sortedAt, this.conversation(id).messages.at(-1)?.sortedAt ?? 0);
  }

  #forgetPlaces(messages: readonly ChatMessage[]): void {
    for (const { key } of messages) this.#places.delete(key);
  }

  #place(message: ChatMessage): void {
    this.#places.set(message.key, message.conversation);
    this.#lastSortedAt = Math.max(this.#lastSortedAt, message.sortedAt);
  }

  #saveRead(id: ConversationId): void {
    const readUntil = this.conversation(id).messages.at(-1)?.sortedAt ?? 0;
    this.#writer.write({ put: [readRecord(id, readUntil)] });
  }

  #setConversation(id: ConversationId, conversation: Conversation): void {
    this.#store.setState((state) => ({ conversations: { ...state.conversations, [id]: conversation } }));
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

/** How many texts at the end of a conversation are in memory without being asked for. */
function endLength(unread: number): number {
  return Math.min(Math.max(pages.first, unread + 10), pages.firstMax);
}

function storedBytesOf(message: ChatMessage): number {
  const words = message.type === "text" ? message.data : (message.manifest ?? "") + (message.thumbnail ?? "");
  return utf8Length(words) + messageOverheadBytes;
}

function bySortedAt(one: ChatMessage, other: ChatMessage): number {
  return one.sortedAt - other.sortedAt;
}

function insertSorted(messages: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  const at = messages.findLastIndex((other) => other.sortedAt <= message.sortedAt) + 1;
  return [...messages.slice(0, at), message, ...messages.slice(at)];
}
