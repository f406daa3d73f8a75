import { type ClientId, type FileId, type RoomTag, toWarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { RecordChanges, RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import type { Emitter } from "../shared/emitter.ts";
import type { Log } from "../shared/log.ts";
import { RecordWriter } from "../shared/storage/record-writer.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { ChatEvents, ChatState, Conversation } from "./chat-state.ts";
import { Contacts } from "./contacts.ts";
import { ConversationNames } from "./conversation-names.ts";
import {
  type ChatMessage,
  type ConversationId,
  everyone,
  type FileMessage,
  type MessageKey,
} from "./message.ts";
import { StorageUsages } from "./storage-usages.ts";
import {
  bodyKeyOf,
  bodyOf,
  bodyRecord,
  clipboardSubject,
  contactRecord,
  conversationGroups,
  groups,
  layoutRecord,
  messageRecord,
  parseBody,
  parseMessage,
  parseReadUntil,
  placed,
  readRecord,
  usageRecord,
} from "./stored-chat.ts";
import { bySortedAt, StoredHistory, trimmed } from "./stored-history.ts";

/** How many files are looked up at once. */
const lookedUp = 500;

/** The tag of no room. That of a forgotten one is a hash of its password. */
const noRoom: RoomTag = "A".repeat(43);

const emptyConversation: Conversation = { messages: [], unread: 0 };

interface MessageLogDeps {
  /** The room whose conversation is `everyone` at first. */
  readonly room: RoomTag;
  readonly storage: RecordStorage;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Emitter<ChatEvents>;
}

interface AddOptions {
  readonly read: boolean;
  readonly with?: readonly StoredRecord[];
  readonly shown?: () => void;
}

/**
 * Holds the messages in memory and writes them to storage. With {@link Contacts} and {@link StorageUsages} the only writer of
 * {@link ChatState}. Of a long conversation only the end and open offers and texts are in memory; the rest is loaded on demand.
 * Messages about a file are loaded all or none, so decisions about a loaded file need no storage access.
 */
export class MessageLog {
  readonly store: ReadableStore<ChatState>;
  readonly contacts: Contacts;
  /** Resolves once {@link load} is done. */
  readonly whenLoaded: Promise<void>;
  readonly #store = createStore<ChatState>({
    room: "",
    loaded: false,
    loadError: null,
    contacts: {},
    conversations: {},
    storageUsage: {},
    open: null,
    unsaved: 0,
  });
  /** The conversation of each message in memory. */
  readonly #conversationIds = new Map<MessageKey, ConversationId>();
  /** The messages about each file; null for one that is being stored and not shown yet. */
  readonly #byFile = new Map<FileId, Map<MessageKey, FileMessage | null>>();
  /** The messages that are being stored, and not shown yet. */
  readonly #adding = new Map<MessageKey, Promise<unknown>>();
  readonly #loading = new Map<ConversationId, Promise<void>>();
  /** The last change of each message that is being changed; each begins when the one before has ended. */
  readonly #changing = new Map<MessageKey, Promise<unknown>>();
  /** What was changed in storage while a part of a conversation is loaded, which may have been read before. */
  readonly #changedWhileLoading = new Map<MessageKey, ChatMessage>();
  readonly #loadedSince = new Set<ConversationId>();
  /** The number of deletions: a read from storage that one overtook is repeated. */
  #deletions = 0;
  readonly #storage: RecordStorage;
  readonly #writer: RecordWriter;
  readonly #usages: StorageUsages;
  readonly #history: StoredHistory;
  readonly #names: ConversationNames;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #events: Emitter<ChatEvents>;
  #selfId: ClientId | null = null;
  /** The conversation that is on the screen, or was last. */
  #reading: ConversationId | null = null;
  #lastSortedAt = 0;
  #endLoading = (): void => {};

  constructor(deps: MessageLogDeps) {
    this.whenLoaded = new Promise((resolve) => {
      this.#endLoading = resolve;
    });
    this.#storage = deps.storage;
    this.#clock = deps.clock;
    this.#names = new ConversationNames(deps.room);
    this.#history = new StoredHistory({ ...deps, names: this.#names });
    this.#store.setState({ room: deps.room });
    this.store = this.#store;
    this.#log = deps.log;
    this.#events = deps.events;
    this.#writer = new RecordWriter(deps);
    this.#writer.on("waiting", (unsaved) => {
      if (this.#store.getState().unsaved !== unsaved) this.#store.setState({ unsaved });
    });
    this.#writer.on("recovered", () => void this.#restoreIfEmptied());
    const shared = { store: this.#store, writer: this.#writer, clock: deps.clock };
    this.contacts = new Contacts(shared);
    this.#usages = new StorageUsages(shared);
  }

  /** Loads people, and what rooms are called: all that is needed to meet them, and to write to them. @throws WarrenError `storage-failed`. */
  loadContacts(loadRooms: () => Promise<void> = async () => {}): Promise<void> {
    return this.#orLoadError(async () => {
      const [contacts] = await Promise.all([
        this.#storage.list(groups.contacts),
        this.#history.readLayout(),
        loadRooms(),
      ]);
      this.contacts.restore(contacts);
    });
  }

  /**
   * Loads open offers, unsent texts, and the end of every conversation; contacts have to be loaded before. `afterReload`
   * is called once per message and may change it (no transfer is under way after a load).
   * @throws WarrenError `storage-failed`.
   */
  load(selfId: ClientId, afterReload: (message: ChatMessage) => ChatMessage): Promise<void> {
    return this.#orLoadError(() => this.#load(selfId, afterReload));
  }

  async #orLoadError(load: () => Promise<void>): Promise<void> {
    try {
      await load();
    } catch (thrown) {
      this.#store.setState({ loadError: toWarrenError(thrown).describe() });
      throw thrown;
    }
  }

  async #load(selfId: ClientId, afterReload: (message: ChatMessage) => ChatMessage): Promise<void> {
    this.#selfId = selfId;
    await this.#history.arrange(selfId, (hasWritten) =>
      this.contacts.review(
        async (id) => this.conversation(id).messages.some(isWritten) || (await hasWritten(id)),
      ),
    );
    const [stored, others, usageRecords] = await this.#unlessDeleted(() => this.#readEnds(selfId));
    // Messages written before storage opened are newer in memory than in storage. All of them are our own and read, because
    // received ones wait until this is done.
    const conversations = { ...this.#store.getState().conversations };
    for (const [id, conversation] of stored) {
      const messages = [...this.conversation(id).messages];
      for (const read of [...conversation.messages, ...others]) {
        if (read.conversation !== id || this.#conversationIds.has(read.key)) continue;
        const message = afterReload(read);
        this.#index(message);
        messages.push(message);
      }
      conversations[id] = { ...conversation, messages: messages.sort(bySortedAt) };
    }
    this.#usages.restore(usageRecords);
    this.#store.setState({ loaded: true, loadError: null, conversations });
    this.#endLoading();
  }

  /** Reads the ends of all conversations, and the other messages about files of which some are in memory by then. */
  async #readEnds(selfId: ClientId) {
    const [readRecords, usageRecords, ids] = await Promise.all([
      this.#storage.list(groups.reads),
      this.#storage.list(groups.storageUsage),
      this.#history.conversations(),
    ]);
    const readUntil = new Map(readRecords.map((record) => [record.key, parseReadUntil(record)]));
    const endOf = async (id: ConversationId) =>
      [
        id,
        await this.#history.end(id, selfId, readUntil.get(`read/${this.#names.toStored(id)}`) ?? 0),
      ] as const;
    const stored = await Promise.all([...ids].map(endOf));
    const files = filesOf(stored.flatMap(([, { messages }]) => messages));
    const others = await this.#history.about([...new Set([...this.#byFile.keys(), ...files])]);
    return [stored, others, usageRecords] as const;
  }

  /**
   * Loads the messages around `sortedAt`, which lies inside one of the conversation's gaps or at the edge of one.
   * @throws WarrenError `storage-failed`.
   */
  loadAround(id: ConversationId, sortedAt: number): Promise<void> {
    const before = this.#loading.get(id) ?? Promise.resolve();
    const loading = before.catch(() => {}).then(() => this.#loadAround(id, sortedAt));
    this.#loading.set(id, loading);
    return loading.finally(() => {
      if (this.#loading.get(id) === loading) this.#loading.delete(id);
      if (this.#loading.size === 0) this.#changedWhileLoading.clear();
    });
  }

  /**
   * Yields the stored texts of a conversation before a `sortedAt`, in pages, latest first, and loads the messages about
   * files on the way.
   */
  async *textsBefore(id: ConversationId, sortedAt: number): AsyncGenerator<readonly ChatMessage[]> {
    for await (const page of this.#history.settledIn(id, { before: sortedAt })) {
      await this.loadAbout(filesOf(page));
      yield page.filter(({ type }) => type === "text");
    }
  }

  /** What a search over all conversations reads. */
  searched() {
    const { store } = this;
    return {
      ...{ store, clock: this.#clock },
      stableIdOf: (id: ConversationId) => this.stableIdOf(id),
      presentIdOf: (stableId: ConversationId) => this.presentIdOf(stableId),
      storedTexts: (id: ConversationId) => this.#history.textsIn(id),
      withKeys: (keys: readonly MessageKey[]) => this.#history.withKeys(keys),
    };
  }

  /**
   * Loads all messages about these files. Does nothing before {@link load} is done.
   * @throws WarrenError `storage-failed`.
   */
  async loadAbout(fids: readonly FileId[]): Promise<void> {
    if (!this.#store.getState().loaded) return;
    const missing = fids.filter((fid) => !this.#byFile.has(fid));
    for (let at = 0; at < missing.length; at += lookedUp)
      this.#insert(await this.#unlessDeleted(() => this.#history.about(missing.slice(at, at + lookedUp))));
  }

  /** Whether messages about these files, and with these keys, are in memory. */
  hasFiles(fids: readonly FileId[], keys: readonly MessageKey[]): boolean {
    return (
      fids.every((fid) => this.#byFile.has(fid)) &&
      (keys.length === 0 || keys.some((key) => this.#conversationIds.has(key)))
    );
  }

  /** Loads the messages about files that have these keys, as {@link loadAbout}. @throws WarrenError `storage-failed`. */
  async loadFiles(keys: readonly MessageKey[]): Promise<void> {
    const missing = keys.filter((key) => !this.#conversationIds.has(key));
    if (missing.length > 0) await this.loadAbout(filesOf(await this.#history.withKeys(missing)));
  }

  /** Loads the messages about files at the end of a conversation, once. @throws WarrenError `storage-failed`. */
  async loadFilesSince(id: ConversationId, sortedAt: number): Promise<void> {
    if (this.#loadedSince.has(id)) return;
    for await (const page of this.#history.settledIn(id, { from: sortedAt }))
      await this.loadAbout(filesOf(page));
    this.#loadedSince.add(id);
  }

  /** The next `sortedAt` at the end of a conversation, by our own clock, never before existing messages. */
  nextSortedAt(): number {
    this.#lastSortedAt = Math.max(this.#clock.now(), this.#lastSortedAt + 1);
    return this.#lastSortedAt;
  }

  /** The message with this key, if in memory. */
  find(key: MessageKey): ChatMessage | undefined {
    const conversation = this.#conversationIds.get(key);
    if (conversation === undefined) return undefined;
    return this.conversation(conversation).messages.findLast((message) => message.key === key);
  }

  /** The message with this key, from memory or storage; null if it is not here. @throws WarrenError `storage-failed`. */
  async lookUp(key: MessageKey): Promise<ChatMessage | null> {
    await this.whenLoaded;
    await this.#adding.get(key);
    const body = this.#writer.unwritten(key) === undefined ? null : await this.#history.bodyOf(key);
    const known = this.find(key) ?? this.#unwritten(key, body);
    return known ?? (await this.#unlessDeleted(() => this.#history.withKeys([key])))[0] ?? null;
  }

  /** The id that a conversation keeps while we go to other rooms: {@link everyone} is replaced by the tag of the room we are in. */
  stableIdOf(id: ConversationId): ConversationId {
    return this.#names.toStable(id);
  }

  /** The id of the conversation with this {@link stableIdOf} while we are in the present room. */
  presentIdOf(stableId: ConversationId): ConversationId {
    return this.#names.toPresent(stableId);
  }

  conversation(id: ConversationId): Conversation {
    return this.#store.getState().conversations[id] ?? emptyConversation;
  }

  /** Every message in memory. */
  *all(): Generator<ChatMessage> {
    for (const conversation of Object.values(this.#store.getState().conversations)) {
      if (conversation) yield* conversation.messages;
    }
  }

  /** The messages about one file, or about any file, by ascending `sortedAt`. */
  files(fid?: FileId): readonly FileMessage[] {
    const messages = fid === undefined ? this.all() : (this.#byFile.get(fid)?.values() ?? []);
    return [...messages].filter((message) => message?.type === "file").sort(bySortedAt);
  }

  /**
   * Stores a message unless it is known, and shows it once it is durable. Others about its file have to be in memory, see
   * {@link loadAbout}. If storage refuses it, it is shown anyway and
   * stored later; see {@link stored}.
   * @param options.read whether it counts as read: true for our own messages, false for received ones.
   * @param options.with records that become durable with it
   * @param options.shown called once it is shown, before pages render it
   * @returns whether it is new.
   * @throws WarrenError `storage-full` or `storage-failed` when too many writes are pending, or `history-full` when the
   * sender's limit is reached; the message is not shown then.
   */
  async add(message: ChatMessage, options: AddOptions): Promise<boolean> {
    const { key } = message;
    if (this.#conversationIds.has(key)) return false;
    const adding = this.#add(message, options);
    this.#adding.set(
      key,
      adding.catch(() => {}),
    );
    try {
      return await adding;
    } finally {
      this.#adding.delete(key);
    }
  }

  async #add(added: ChatMessage, options: AddOptions): Promise<boolean> {
    const message = placed(added);
    const stored = this.#names.toStored(message.conversation);
    let id = message.conversation;
    const isCounted = !options.read || message.countedFor !== undefined;
    const usage = isCounted ? [this.#usages.add(message)] : [];
    this.#index(message, null);
    const takeBack = () => {
      this.#unindex([message]);
      if (isCounted) this.#usages.subtract(message);
    };
    const isReadAtOnce = options.read || this.#store.getState().open === id;
    // What was requested of us, we did not write; and who writes to everyone in a room does not know who is there.
    if (message.countedFor === undefined && isWritten(message)) this.contacts.accept(message.conversation);
    const newContacts = this.contacts.contactsToStore(message);
    const read = isReadAtOnce ? [readRecord(stored, this.#lastOf(id, message))] : [];
    try {
      const body = message.bodyApart ? [bodyRecord(message, this.#names)] : [];
      const put = [...newContacts.map(contactRecord), ...read, ...usage, ...(options.with ?? []), ...body];
      if (!(await this.#writer.add(this.#recordOf(message), { put }))) {
        takeBack();
        return false;
      }
    } catch (error) {
      takeBack();
      throw error;
    }
    this.contacts.keep(newContacts);
    // We may have gone to another room meanwhile.
    id = this.#names.toShown(stored);
    this.#index({ ...message, conversation: id });
    const isRead = isReadAtOnce || this.#store.getState().open === id;
    const before = this.conversation(id);
    const { messages, unread } = before;
    this.#setConversation(id, {
      ...before,
      messages: insertSorted(messages, { ...message, conversation: id }),
      unread: isRead ? unread : unread + 1,
    });
    if (isRead && !isReadAtOnce) this.#saveRead(id);
    options.shown?.();
    if (this.#reading !== id) this.#trim(id);
    return true;
  }

  /** Resolves once a message is durable or deleted; immediately if storage has accepted it. */
  stored(key: MessageKey): Promise<void> {
    return this.#writer.stored(key);
  }

  /** Changes a message. Does nothing when it is unknown or `change` returns the same object. */
  update(key: MessageKey, change: (message: ChatMessage) => ChatMessage): void {
    const before = this.find(key);
    if (!before) return;
    const after = change(before);
    if (after !== before) this.#replace(before, placed(after));
  }

  #replace(before: ChatMessage, after: ChatMessage, put: readonly StoredRecord[] = []): void {
    const { key } = before;
    // The file of the message may have changed.
    this.#unindex([before]);
    this.#index(after);
    const conversation = this.conversation(before.conversation);
    this.#setConversation(before.conversation, {
      ...conversation,
      messages: conversation.messages.map((message) => (message.key === key ? after : message)),
    });
    this.#writer.write(this.#writesOf(after, before, [...put, ...this.#newContactsOf(after, before)]));
  }

  /** Those who got a message after it was written are kept as those who got it then. */
  #newContactsOf(after: ChatMessage, before: ChatMessage): readonly StoredRecord[] {
    if (Object.keys(after.deliveries).every((peer) => Object.hasOwn(before.deliveries, peer))) return [];
    const contacts = this.contacts.contactsToStore(after);
    this.contacts.keep(contacts);
    return contacts.map(contactRecord);
  }

  /** What is to be written of a changed message: a body that is stored apart only if it is another one. */
  #writesOf(after: ChatMessage, before: ChatMessage, put: readonly StoredRecord[]): RecordChanges {
    const isStored = before.bodyApart === true && bodyOf(before) === bodyOf(after);
    const body = after.bodyApart && !isStored ? [bodyRecord(after, this.#names)] : [];
    const gone = before.bodyApart && !after.bodyApart ? [bodyKeyOf(after.key)] : [];
    return { put: [...put, this.#recordOf(after), ...body], delete: gone };
  }

  /**
   * Changes a message in memory or in storage, and what its sender has stored here.
   * @param put is stored together with that, or alone if nothing changes
   * @returns whether it is here. @throws WarrenError `history-full` if its sender may not store more, `storage-failed`.
   */
  async change(
    key: MessageKey,
    change: (message: ChatMessage) => ChatMessage,
    put: readonly StoredRecord[] = [],
  ): Promise<boolean> {
    const before = this.#changing.get(key);
    const changing =
      before !== undefined
        ? before.catch(() => {}).then(() => this.#change(key, change, put))
        : this.#change(key, change, put);
    this.#changing.set(key, changing);
    try {
      return await changing;
    } finally {
      if (this.#changing.get(key) === changing) this.#changing.delete(key);
    }
  }

  async #change(
    key: MessageKey,
    change: (message: ChatMessage) => ChatMessage,
    further: readonly StoredRecord[],
  ): Promise<boolean> {
    const stored = this.find(key) === undefined ? await this.lookUp(key) : null;
    // It may have been loaded while it was read.
    const before = this.find(key) ?? stored;
    const changed = before === null ? null : change(before);
    if (before === null || changed === null || changed === before) {
      if (further.length > 0) this.#writer.write({ put: [...further] });
      return before !== null;
    }
    const after = placed(changed);
    const isCounted = before.client !== this.#selfId || before.countedFor !== undefined;
    const put = [...further, ...(isCounted ? this.#usages.change(before, after) : [])];
    const shown = this.find(key);
    if (shown !== undefined) this.#replace(shown, after, put);
    else {
      this.#writer.write(this.#writesOf(after, before, put));
      if (this.#loading.size > 0) this.#changedWhileLoading.set(key, after);
    }
    return true;
  }

  /** Adds the thumbnail of a received offer, which counts toward the sender's limit. */
  addThumbnail(key: MessageKey, thumbnail: string): void {
    const message = this.find(key);
    if (message?.type !== "file") return;
    this.#writer.write({ put: [this.#usages.addBytes(message, thumbnail.length)] });
    this.update(key, () => ({ ...message, thumbnail }));
  }

  /** Deletes a message in memory. */
  remove(key: MessageKey): void {
    this.#deletions++;
    const id = this.#conversationIds.get(key);
    if (id === undefined) return;
    const message = this.find(key);
    if (message) this.#unindex([message]);
    else this.#conversationIds.delete(key);
    const conversation = this.conversation(id);
    const isUnread = message !== undefined && message.sortedAt > this.#readUntil(conversation);
    this.#setConversation(id, {
      ...conversation,
      messages: conversation.messages.filter((other) => other.key !== key),
      unread: isUnread ? Math.max(0, conversation.unread - 1) : conversation.unread,
    });
    this.#writer.write({
      put: message ? this.#usages.subtract(message) : [],
      delete: [key, bodyKeyOf(key)],
    });
  }

  /** Deletes a message in memory or in storage. @throws WarrenError `storage-failed`. */
  async discard(key: MessageKey): Promise<void> {
    const message = await this.lookUp(key);
    if (message === null) return;
    if (this.#conversationIds.has(key)) return this.remove(key);
    this.#deletions++;
    this.#writer.write({ put: this.#usages.subtract(message), delete: [key, bodyKeyOf(key)] });
  }

  /** The clipboard texts of a client in storage, the earliest first. @throws WarrenError `storage-failed`. */
  async clipboardTextsOf(client: ClientId): Promise<MessageKey[]> {
    const messages = await this.#history.about([clipboardSubject(client)]);
    return [...messages].sort(bySortedAt).map(({ key }) => key);
  }

  /**
   * Deletes a contact and its conversation, first from storage, then from the screen, so that nothing seen to disappear
   * is back after a reload.
   * @throws WarrenError `storage-failed`; nothing is deleted then.
   */
  async forget(clientId: ClientId): Promise<void> {
    const known = this.contacts.get(clientId);
    const { messages } = this.conversation(clientId);
    const keepAgain = this.contacts.stopStoring(clientId);
    this.#deletions++;
    // Later changes of these would be written after the deletion, and be back.
    this.#unindex(messages);
    const deleteGroups = () => {
      const usage = this.#usages.withoutContact(clientId);
      const further = {
        put: usage ? [usageRecord(clientId, usage)] : [],
        delete: [`contact/${clientId}`, `read/${clientId}`, ...(usage ? [] : [`intake/${clientId}`])],
      };
      return this.#storage.deleteGroups(Object.values(conversationGroups(clientId)), further);
    };
    try {
      await this.#writer.deleteWith(
        messages.flatMap(({ key }) => [key, bodyKeyOf(key)]),
        deleteGroups,
      );
    } catch (error) {
      keepAgain();
      for (const message of messages) this.#index(message);
      throw error;
    }
    this.#deletions++;
    this.#unindex(this.conversation(clientId).messages);
    const left = this.#usages.withoutContact(clientId);
    this.#store.setState((state) => {
      const { [clientId]: contact, ...contacts } = state.contacts;
      const { [clientId]: _conversation, ...conversations } = state.conversations;
      const { [clientId]: _usage, ...others } = state.storageUsage;
      const storageUsage = left ? { ...others, [clientId]: left } : others;
      // A contact met again in the meantime is kept.
      return {
        contacts: contact === known ? contacts : state.contacts,
        conversations,
        storageUsage,
      };
    });
  }

  /**
   * Deletes the conversation of a room, what is stored of its log, and what its members have used of their space for it.
   * @throws WarrenError `storage-failed`; nothing is deleted then.
   */
  async forgetRoom(room: RoomTag, logGroups: readonly string[]): Promise<void> {
    const id = this.#names.toPresent(room);
    const stored = this.#names.toStored(id);
    const subtract = (messages: readonly ChatMessage[]) =>
      messages.filter(({ client }) => client !== this.#selfId).flatMap((each) => this.#usages.subtract(each));
    this.#deletions++;
    const { messages } = this.conversation(id);
    const inMemory = new Set(messages.map(({ key }) => key));
    const put = subtract(messages);
    for await (const page of this.#history.settledIn(id, {}))
      put.push(...subtract(page.filter(({ key }) => !inMemory.has(key))));
    this.#unindex(messages);
    const gone = [...Object.values(conversationGroups(stored)), ...logGroups];
    const usages = new Map(put.map((record) => [record.key, record]));
    try {
      const keys = [...inMemory].flatMap((key) => [key, bodyKeyOf(key)]);
      await this.#writer.deleteWith(keys, () =>
        this.#storage.deleteGroups(gone, {
          put: [...usages.values(), ...(stored === everyone ? [layoutRecord(noRoom)] : [])],
          delete: [`read/${stored}`],
        }),
      );
    } catch (error) {
      for (const message of messages) this.#index(message);
      throw error;
    }
    if (stored === everyone) this.#names.restoreFirst(noRoom);
    this.#deletions++;
    this.#unindex(this.conversation(id).messages);
    this.#store.setState(({ conversations: { [id]: _gone, ...conversations } }) => ({ conversations }));
  }

  /** The conversation of a room is stored under another name. */
  restoreName(room: RoomTag, stored: RoomTag): void {
    this.#names.exchange(room, stored);
  }

  /** We are in a room: its conversation is `everyone` from now on, and that of the room before has its tag. */
  enterRoom(room: RoomTag): void {
    const left = this.#names.present;
    if (left === room) return;
    this.#names.enter(room);
    // What is being read from storage would be under the former names.
    this.#deletions++;
    this.#loadedSince.clear();
    const rename = (id: ConversationId) => (id === everyone ? left : id === room ? everyone : id);
    const conversations: Record<ConversationId, Conversation> = {};
    for (const [id, conversation] of Object.entries(this.#store.getState().conversations)) {
      if (conversation === undefined) continue;
      const now = rename(id);
      const renamed = now === id ? conversation : inConversation(conversation, now);
      if (renamed !== conversation) for (const message of renamed.messages) this.#index(message);
      conversations[now] = renamed;
    }
    this.#store.setState({ room, conversations });
    const { open } = this.#store.getState();
    if (open === everyone) this.open(everyone);
  }

  /** Sets the conversation on the screen and marks it as read. */
  open(id: ConversationId | null): void {
    this.#store.setState({ open: id });
    if (id === null) return;
    // A window that is hidden for a while keeps the messages that were scrolled back to.
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

  /** Writes records that belong to no message, now or when storage accepts them. */
  write(changes: RecordChanges): void {
    this.#writer.write(changes);
  }

  /** Retries the pending writes once. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  /**
   * Chromium deletes all databases of an origin when it cannot write to them on a full disk. Once storage works again,
   * the messages in memory are stored again; earlier ones are lost.
   */
  async #restoreIfEmptied(): Promise<void> {
    try {
      if ((await this.#storage.list(groups.layout)).length > 0) return;
    } catch {
      // Storage refuses again; this runs again at the next recovery.
      return;
    }
    this.#log.warn("the browser deleted what was stored; what is in memory is stored again");
    const { storageUsage, conversations } = this.#store.getState();
    const put = [
      layoutRecord(this.#names.first),
      ...this.contacts.stored().map(contactRecord),
      ...Object.entries(storageUsage).flatMap(([id, usage]) => (usage ? usageRecord(id, usage) : [])),
      ...Object.entries(conversations).flatMap(([id, conversation]) => [
        ...(conversation?.messages ?? []).flatMap((message) => [
          this.#recordOf(message),
          ...(message.bodyApart ? [bodyRecord(message, this.#names)] : []),
        ]),
        readRecord(this.#names.toStored(id), this.#readUntil(conversation ?? emptyConversation)),
      ]),
    ];
    this.#writer.write({ put });
    this.#events.emit("storage-emptied");
  }

  /** The `sortedAt` up to which a conversation is read. */
  #readUntil({ messages, unread }: Conversation): number {
    const received = messages.filter(({ client }) => client !== this.#selfId);
    const firstUnread = unread > 0 ? received.at(-unread) : undefined;
    return firstUnread ? firstUnread.sortedAt - 1 : (messages.at(-1)?.sortedAt ?? 0);
  }

  async #loadAround(id: ConversationId, sortedAt: number): Promise<void> {
    const gap = this.conversation(id).gaps?.find(
      ({ from, before }) => from <= sortedAt && sortedAt <= before,
    );
    if (gap === undefined) return;
    const [loaded, others] = await this.#unlessDeleted(async () => {
      const around = await this.#history.around(id, gap, sortedAt);
      const unknown = filesOf(around.messages).filter((fid) => !this.#byFile.has(fid));
      return [around, await this.#history.about(unknown)] as const;
    });
    const { gaps = [] } = this.conversation(id);
    // The gap was deleted or trimmed in the meantime.
    if (!gaps.includes(gap)) return;
    this.#insert([...loaded.messages, ...others]);
    this.#setConversation(id, {
      ...this.conversation(id),
      gaps: gaps.flatMap((other) => (other === gap ? loaded.gaps : other)),
    });
  }

  async #unlessDeleted<T>(read: () => Promise<T>): Promise<T> {
    const before = this.#deletions;
    const found = await read();
    return before === this.#deletions ? found : this.#unlessDeleted(read);
  }

  /** Puts messages from storage into memory; those already there are newer. */
  #insert(messages: readonly ChatMessage[]): void {
    const loaded = new Map<ConversationId, ChatMessage[]>();
    for (const read of messages) {
      if (this.#conversationIds.has(read.key)) continue;
      const { conversation } = read;
      const changed = this.#changedWhileLoading.get(read.key) ?? this.#unwritten(read.key, bodyOf(read));
      const message = changed ? { ...changed, conversation } : read;
      this.#index(message);
      const some = loaded.get(message.conversation);
      if (some) some.push(message);
      else loaded.set(message.conversation, [message]);
    }
    for (const [id, some] of loaded) {
      const conversation = this.conversation(id);
      const all = [...conversation.messages, ...some].sort(bySortedAt);
      this.#setConversation(id, { ...conversation, messages: all });
    }
  }

  #trim(id: ConversationId): void {
    const before = this.conversation(id);
    const after = trimmed(before);
    if (after === before) return;
    this.#unindex(before.messages);
    for (const message of after.messages) this.#index(message);
    this.#setConversation(id, after);
  }

  #lastOf(id: ConversationId, message: ChatMessage): number {
    return Math.max(message.sortedAt, this.conversation(id).messages.at(-1)?.sortedAt ?? 0);
  }

  #unindex(messages: readonly ChatMessage[]): void {
    for (const message of messages) {
      this.#conversationIds.delete(message.key);
      if (message.type !== "file") continue;
      const keys = this.#byFile.get(message.file.fid);
      keys?.delete(message.key);
      if (keys?.size === 0) this.#byFile.delete(message.file.fid);
    }
  }

  #index(message: ChatMessage, shown: ChatMessage | null = message): void {
    this.#conversationIds.set(message.key, message.conversation);
    if (message.type === "file") {
      const messages = this.#byFile.get(message.file.fid) ?? new Map();
      this.#byFile.set(message.file.fid, messages.set(message.key, shown?.type === "file" ? shown : null));
    }
    this.#lastSortedAt = Math.max(this.#lastSortedAt, message.sortedAt);
  }

  #saveRead(id: ConversationId): void {
    const readUntil = this.conversation(id).messages.at(-1)?.sortedAt ?? 0;
    this.#writer.write({ put: [readRecord(this.#names.toStored(id), readUntil)] });
  }

  /**
   * A message that is not in memory as its last write leaves it; null if that is done.
   * @param storedBody the one that it has apart, unless that is being written too
   */
  #unwritten(key: MessageKey, storedBody: string | null): ChatMessage | null {
    const record = this.#writer.unwritten(key);
    const body = parseBody(this.#writer.unwritten(bodyKeyOf(key))) ?? storedBody;
    return record ? parseMessage(record, this.#names, body) : null;
  }

  #recordOf(message: ChatMessage): StoredRecord {
    return messageRecord(message, this.#names);
  }

  #setConversation(id: ConversationId, conversation: Conversation): void {
    this.#store.setState((state) => ({ conversations: { ...state.conversations, [id]: conversation } }));
  }
}

/** Whether it is one of ours to one person. */
function isWritten({ conversation, deliveries }: ChatMessage): boolean {
  return Object.hasOwn(deliveries, conversation);
}

function filesOf(messages: readonly ChatMessage[]): readonly FileId[] {
  return [...new Set(messages.flatMap((message) => (message.type === "file" ? [message.file.fid] : [])))];
}

function inConversation(conversation: Conversation, id: ConversationId): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) => ({ ...message, conversation: id })),
  };
}

function insertSorted(messages: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  const at = messages.findLastIndex((other) => bySortedAt(other, message) <= 0) + 1;
  return [...messages.slice(0, at), message, ...messages.slice(at)];
}
