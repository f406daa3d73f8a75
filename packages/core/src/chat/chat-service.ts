import {
  type ClientId,
  canRead,
  type FileDescription,
  type FileId,
  limits,
  type PeerMessage,
  type PeerMessageOf,
  type RoomTag,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { PastCall } from "../call/ringing.ts";
import type { PickedTree } from "../files/trees/compose-tree.ts";
import { ChangeOutbox } from "../messages/change-outbox.ts";
import type { ChatDeps } from "../messages/chat-deps.ts";
import {
  type ChatEvents,
  type ChatState,
  type MissingEntries,
  metMembers,
  type Permissions,
  type RoomMembers,
} from "../messages/chat-state.ts";
import { ClipboardOutbox } from "../messages/clipboard-outbox.ts";
import { ClipboardTexts } from "../messages/clipboard-texts.ts";
import type { SeenClient } from "../messages/contacts.ts";
import { isRoomConversation } from "../messages/conversation-names.ts";
import type { ConversationSearch, SearchOptions, SearchResults } from "../messages/conversation-search.ts";
import {
  type CallMessage,
  type ChatMessage,
  type ConversationId,
  entryHashOf,
  everyone,
  type FileMessage,
  type MessageHead,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
  reloaded,
} from "../messages/message.ts";
import {
  entryOfChange,
  type MessageChange,
  nextChangeAt,
  toggled,
  withChange,
} from "../messages/message-changes.ts";
import { MessageLog } from "../messages/message-log.ts";
import {
  MessageSearch,
  type MessageSearchOptions,
  type MessageSearchResults,
} from "../messages/message-search.ts";
import { type HeldUp, Outbox, type OwnBody, waitingAgain } from "../messages/outbox.ts";
import { RoomBook, type RoomFacts, type VisitedRoom } from "../messages/room-book.ts";
import { starterId } from "../messages/starter.ts";
import { isSettled } from "../messages/stored-chat.ts";
import { erasedRecord, logGroups, readMembers } from "../messages/stored-log.ts";
import { Trust } from "../messages/trust.ts";
import type { FileSearches } from "../offers/file-search.ts";
import type { OfferOptions } from "../offers/own-files.ts";
import type { CancelTimer } from "../ports/clock.ts";
import type { RoomKey } from "../room/room-service.ts";
import { localTagOf } from "../room/room-tag.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { Emitter, type Unsubscribe } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { Lazy } from "../shared/lazy.ts";
import { SerialQueue } from "../shared/serial-queue.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import { changeListing, type SharedListings } from "../shares/shared-listing.ts";
import { ended, type OfferState } from "../transfer/offer-state.ts";
import type { TransferSnapshots } from "../transfer/transfer-state.ts";
import type { FileExchange } from "./file-exchange.ts";
import { IncomingChanges } from "./incoming-changes.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import type { LogExchange } from "./log-exchange.ts";
import { Typing, type TypingState } from "./typing.ts";

/** When those are met again whom the log of the room could not be opened for. A page gets no event once it can be. */
const meetAgainMs = 5_000;
/** A change that storage has not answered by then has failed, and those after it go on. */
const changeMs = 30_000;
/** Beside a text, a frame holds its envelope. */
const envelopeBytes = 4_096;

/** The most file channels that wait for the exchange: peers open them without asking. */
const earlyChannelsMax = 64;

/**
 * Conversations: texts, files and clipboard, and their delivery. The code for files is loaded at its first use, as
 * meeting does not need it: methods about files reject with `app-code-missing` when it cannot be fetched, and
 * work once it can.
 */
export class ChatService extends Emitter<ChatEvents> {
  readonly store: ReadableStore<ChatState>;
  /** The transfers since the page loaded. */
  readonly transfers: ReadableStore<TransferSnapshots>;
  /** How many of our messages wait although their recipient is there. */
  readonly heldUp: ReadableStore<HeldUp>;
  /** What has not arrived of what was said to everyone in the room we are in. */
  readonly missing: ReadableStore<MissingEntries>;
  /** Who belongs to the room we are in and was not removed, once its log is open. */
  readonly members: ReadableStore<RoomMembers>;
  /** The lowest number of our own entries that the log of the room we are in keeps: nobody is given an earlier one any more. */
  readonly ownFloor: ReadableStore<number>;

  /** Whether what is said to everyone in a room is kept for those who are not there. */
  readonly hasRoomLog: boolean;
  /** Who is writing. */
  readonly typing: ReadableStore<TypingState>;
  /** The rooms we have been in, those visited last first. */
  readonly rooms: ReadableStore<readonly VisitedRoom[]>;
  /** The files that other clients share with us. */
  readonly listings: ReadableStore<SharedListings>;
  /** For which files offered to everyone other members are asked. */
  readonly searches: ReadableStore<FileSearches>;
  /** Loads the code for files. */
  readonly exchange: Lazy<FileExchange>;
  readonly #deps: ChatDeps;
  readonly #messages: MessageLog;
  readonly #outbox: Outbox;
  readonly #search: Lazy<ConversationSearch>;
  readonly #changeOutbox: ChangeOutbox;
  readonly #clipboardOutbox: ClipboardOutbox;
  readonly #typing: Typing;
  readonly #rooms: RoomBook;
  readonly #logExchange: Lazy<LogExchange>;
  readonly #readsLog: (peer: ClientId) => boolean;
  readonly #incoming: IncomingMessages;
  readonly #trust: Trust;
  readonly #listings = createStore<SharedListings>(new Map());
  readonly #stopListening: Unsubscribe;
  /** The clients that get what is said to everyone by the log of the room. */
  readonly #byLog = new Set<ClientId>();
  /** Those who may have told us of the log while it could not be opened. */
  readonly #missed = new Set<ClientId>();
  #cancelMeetAgain: CancelTimer | null = null;
  /** The changes of messages that we make. */
  readonly #changes = new SerialQueue();
  #isClosed = false;

  constructor(deps: ChatDeps) {
    super();
    this.#deps = deps;
    const { selfId, clock, log, options, invitations, room } = deps;
    const messages = new MessageLog({
      ...{ room: deps.roomTag, storage: deps.storage, clock, log },
      events: this,
    });
    const readsLog = (peer: ClientId) => {
      const { profile, proof } = room.peer(peer) ?? {};
      return !room.isNearby && deps.hasRoomLog && canRead("heads", profile) && proof?.verifiable === true;
    };
    const isRemoved = (client: ClientId) => this.#rooms.isRemoved(messages.store.getState().room, client);
    const outbox = new Outbox({
      ...{ messages, clock, selfId, room, isRemoved, hasRoomLog: deps.hasRoomLog },
      leavesByLog: (message, peer) => this.#leavesByLog(message, peer),
    });
    const changeOutbox = new ChangeOutbox({ selfId, messages, room, isRemoved });
    const clipboardOutbox = new ClipboardOutbox({ messages, room, clock });
    const trust = new Trust({
      contacts: messages.contacts,
      options,
      invitations,
      peer: (id) => room.peer(id),
    });
    const typing = new Typing({ room, trust, isRemoved, clock });
    // A client that has just disconnected asks again.
    const answer = (to: ClientId, message: OutgoingMessage) => {
      try {
        room.send(to, message);
      } catch (error) {
        log.debug("an answer was not sent", { code: toWarrenError(error).code });
      }
    };
    const changes = new IncomingChanges({
      ...{ messages, trust, isRemoved, clock },
      isNearby: () => room.isNearby,
      // Without the code for files none moves, and the deletion stands.
      endTransfers: (message) =>
        this.#endTransfers(message).catch((thrown: unknown) =>
          log.warn("a deleted offer was not cancelled", { code: toWarrenError(thrown).code }),
        ),
      erase: (message) => this.#eraseEntry(message),
      acknowledge: (to, { id }) => answer(to, { type: "check-message", id }),
    });
    const transfers = createStore<TransferSnapshots>(new Map());
    const listings = this.#listings;
    const searches = createStore<FileSearches>(new Map());
    this.searches = searches;
    const isBarred = (client: ClientId) => isRemoved(client) || trust.isBlocked(client);
    const isMember = (peer: ClientId) => readsLog(peer) && !isBarred(peer);
    const exchange = new Lazy(clock, async () => {
      // What becomes of an offer depends on the files that are here. If they cannot be read, none counts as here.
      const reading = deps.library.load().catch(() => {});
      const [{ FileExchange }] = await Promise.all([import("./file-exchange.ts"), reading]);
      return () => {
        if (this.#isClosed) throw new WarrenError("transferer-closed");
        const post = (...args: Parameters<Outbox["post"]>) => this.#post(...args);
        const stores = { transfers, listings, searches };
        const who = { trust, isMember, isBarred };
        return new FileExchange({ ...deps, ...stores, ...who, messages, outbox, post, answer });
      };
    });
    const missing = createStore<MissingEntries>({});
    this.missing = missing;
    const members = createStore<RoomMembers>({});
    this.members = members;
    const ownFloor = createStore(1);
    this.ownFloor = ownFloor;
    this.#readsLog = readsLog;
    this.#logExchange = new Lazy(clock, async () => {
      const { LogExchange } = await import("./log-exchange.ts");
      const isBlocked = (clientId: ClientId) => trust.isBlocked(clientId);
      const hasMissed = (clientId: ClientId) => this.#missed.has(clientId);
      const receiveChange = (...args: Parameters<IncomingChanges["receiveEntry"]>) =>
        changes.receiveEntry(...args);
      const takesChange = (author: ClientId) => changes.takes(author);
      const receiveFile = async (offer: PeerMessageOf<"send-file">, head: MessageHead) => {
        await messages.whenLoaded;
        await messages.loadAbout([offer.fid]);
        await (await exchange.load()).incoming.receive(offer.client, offer, head);
      };
      const hasWritten = (author: ClientId) => typing.arrived(author, everyone);
      const recipientAdded = (key: MessageKey, peer: ClientId) =>
        void this.#withExchange(({ fileOffers, offers }) => {
          void fileOffers.take("peer-connects", offers.shownIn(key, peer)[0]);
        });
      return () =>
        new LogExchange({
          ...deps,
          receiveChange,
          takesChange,
          receiveFile,
          recipientAdded,
          factsOf: (tag: RoomTag) => this.#rooms.get(tag),
          hasWritten,
          messages,
          outbox,
          readsLog,
          isBlocked,
          hasMissed,
          missing,
          members,
          ownFloor,
        });
    });
    this.#search = new Lazy(clock, async () => {
      const { ConversationSearch } = await import("../messages/conversation-search.ts");
      return () => new ConversationSearch(messages.searched());
    });
    this.#rooms = new RoomBook({
      ...{ storage: deps.storage, clock },
      write: (changes) => messages.write(changes),
      isStoredAs: (tag, stored) => messages.restoreName(tag, stored),
    });
    this.rooms = this.#rooms.store;
    this.hasRoomLog = deps.hasRoomLog;
    this.store = messages.store;
    this.heldUp = outbox.heldUp;
    this.transfers = transfers;
    this.listings = listings;
    this.exchange = exchange;
    this.#messages = messages;
    this.#outbox = outbox;
    this.#changeOutbox = changeOutbox;
    this.#clipboardOutbox = clipboardOutbox;
    this.#typing = typing;
    this.typing = typing.store;
    this.#trust = trust;
    this.#incoming = new IncomingMessages({
      ...{
        selfId,
        messages,
        outbox,
        changeOutbox,
        clipboardOutbox,
        changes,
        typing,
        exchange,
        trust,
        isRemoved,
        clock,
        log,
        options,
        answer,
      },
      isNearby: () => room.isNearby,
      clipboardTexts: new ClipboardTexts(messages),
      hasRoomLog: deps.hasRoomLog,
      logExchange: this.#logExchange,
      events: this,
    });
    let earlyChannels = 0;
    // Until the exchange is loaded; afterwards it listens itself.
    this.#stopListening = room.on("transfer-channel", (from, channel) => {
      if (exchange.value) return;
      // Its first messages would be lost.
      channel.close();
      if (earlyChannels === earlyChannelsMax) return;
      earlyChannels++;
      const accepted = this.#withExchange(({ transfers }) => transfers.accept(from, channel));
      void accepted.then(() => earlyChannels--);
    });
  }

  /** Loads contacts and rooms from storage, before {@link load}. @throws WarrenError `storage-failed`. */
  loadContacts(): Promise<void> {
    return this.#messages.loadContacts(() => this.#rooms.load());
  }

  /**
   * Loads the history from storage. Clients may be met before; what is pending for them is sent afterwards.
   * @throws WarrenError `storage-failed`.
   */
  async load(): Promise<void> {
    const { selfId, room } = this.#deps;
    await this.#messages.load(selfId, (message) => reloaded(waitingAgain(message), selfId));
    for (const peer of room.readyPeers()) this.peerReady(peer);
  }

  /**
   * Loads the messages around `sortedAt`, which lies inside one of the conversation's gaps or at the edge of one.
   * @throws WarrenError `storage-failed`.
   */
  loadAround(conversation: ConversationId, sortedAt: number): Promise<void> {
    return this.#messages.loadAround(conversation, sortedAt);
  }

  /** Loads all messages about these files, once the chat is loaded. @throws WarrenError `storage-failed`. */
  loadAbout(fids: readonly FileId[]): Promise<void> {
    return this.#messages.loadAbout(fids);
  }

  /** Loads the messages about files that have these keys, as {@link loadAbout}. @throws WarrenError `storage-failed`. */
  loadFiles(keys: readonly MessageKey[]): Promise<void> {
    return this.#messages.loadFiles(keys);
  }

  /** Reads what {@link searchConversations} is going to need, once the chat is loaded. */
  async prepareSearch(): Promise<void> {
    await this.#messages.whenLoaded;
    (await this.#search.load()).readAhead();
  }

  /**
   * Searches all conversations. Yields what is found so far until everything has been searched; each found message contains
   * every word of the query. Rejects with `app-code-missing`, `storage-failed`; what was found before remains true.
   */
  async *searchConversations(query: string, options?: SearchOptions): AsyncGenerator<SearchResults> {
    await this.#messages.whenLoaded;
    yield* (await this.#search.load()).find(query, options);
  }

  /**
   * Searches one conversation, by the same words as {@link searchConversations}, until `options.signal` aborts: yields what is
   * found so far, and again after each change.
   */
  async *searchConversation(
    id: ConversationId,
    query: string,
    options: MessageSearchOptions,
  ): AsyncGenerator<MessageSearchResults> {
    await this.#messages.whenLoaded;
    yield* new MessageSearch(this.#messages, id, query, options).results();
  }

  /** The message with this key, from memory or storage; null if it is not here. @throws WarrenError `storage-failed`. */
  lookUp(key: MessageKey): Promise<ChatMessage | null> {
    return this.#messages.lookUp(key);
  }

  /** We are in this room: its conversation is `everyone` from now on. */
  enterRoom(room: RoomTag): void {
    this.#messages.enterRoom(room);
    this.#typing.enterRoom();
    this.#logExchange.value?.enterRoom(room);
  }

  /** We have joined a room. */
  visitRoom(room: RoomKey): void {
    this.#rooms.visit(room);
  }

  /** A member of the room that we are in has proven that it knows this password. */
  proveRoom(room: RoomKey): void {
    this.#rooms.prove(room);
  }

  /** Changes what is kept of a room, which may not have been visited yet. @throws WarrenError `frame-invalid`. */
  updateRoom(room: RoomKey, facts: RoomFacts): void {
    this.#rooms.update(localTagOf(room), facts);
  }

  /** Those whom we have met in a room, also the removed ones, as they are now. @throws WarrenError `storage-failed`. */
  async membersOf(tag: RoomTag): Promise<RoomMembers> {
    const stored = metMembers(await readMembers(this.#deps.storage, tag));
    return tag === this.store.getState().room ? { ...stored, ...this.members.getState() } : stored;
  }

  /**
   * Removes a member of a room here: what it says to everyone in it is neither taken nor passed on, and it is told nothing of
   * what we and others say there, until {@link allowMember}. What is here stays.
   */
  removeMember(tag: RoomTag, client: ClientId): void {
    this.#updateRemoved(tag, (removed) => [...removed.filter((id) => id !== client), client]);
  }

  /** Takes {@link removeMember} back: the client gets, and gives, what was said meanwhile. */
  allowMember(tag: RoomTag, client: ClientId): void {
    this.#updateRemoved(tag, (removed) => removed.filter((id) => id !== client));
    this.#outbox.deliverAllTo(client);
    this.#changeOutbox.deliverAllTo(client);
  }

  /**
   * Deletes what is kept of a room that we are not in: its conversation, its log, its password; only where our own log ended
   * stays. Transfers of files that were offered there are cancelled. @throws WarrenError `storage-failed`.
   */
  async forgetRoom(tag: RoomTag): Promise<void> {
    await this.#messages.whenLoaded;
    await this.#cancelOffersIn(this.#messages.store.getState().room === tag ? everyone : tag);
    await this.#messages.forgetRoom(tag, Object.values(logGroups(tag)));
    this.#rooms.remove(tag);
    this.#logExchange.value?.forgetRoom(tag);
  }

  /** Sets the conversation on the screen: messages that arrive in it count as read. */
  open(conversation: ConversationId | null): void {
    this.#messages.open(conversation);
  }

  /**
   * Sends a text. Resolves once it is shown and durable; it is delivered to each recipient as soon as that one is
   * ready.
   * @throws WarrenError `frame-too-large` over 200 KiB, `no-session` when sent to everyone outside of a room, or with nobody
   * there and without a log, `storage-failed`.
   * @param quote the message that it answers.
   */
  async sendText(conversation: ConversationId, text: string, quote?: MessageKey): Promise<void> {
    const recipients = this.#outbox.recipientsOfText(conversation, text);
    this.#typing.sent(conversation);
    const stableId = this.#messages.stableIdOf(conversation);
    this.#markWritten(stableId);
    await this.#post(stableId, recipients, { type: "text", data: text, ...(quote && { quote }) });
  }

  /**
   * Offers a file. Resolves once the offer is shown and durable; the bytes are sent when a recipient accepts.
   * @throws WarrenError `file-too-large` over the option `maxFileSize` unless `overLimit` is set, and as
   * {@link sendText}.
   */
  async sendFile(conversation: ConversationId, file: File, options?: OfferOptions): Promise<void> {
    const stableId = this.#messages.stableIdOf(conversation);
    await (await this.exchange.load()).ownFiles.send(stableId, file, options);
    this.#markWritten(stableId);
  }

  /**
   * Offers a file that this browser already holds. Nothing is read until a recipient accepts.
   * @throws WarrenError `cache-not-found`, `cache-data-incomplete`, and as {@link sendFile}.
   */
  async forwardFile(conversation: ConversationId, fid: FileId, options?: OfferOptions): Promise<void> {
    const stableId = this.#messages.stableIdOf(conversation);
    await (await this.exchange.load()).ownFiles.forward(stableId, fid, options);
    this.#markWritten(stableId);
  }

  /**
   * Offers a folder or several files as one item; otherwise like {@link sendFile}.
   * @throws WarrenError `tree-too-large`, and as {@link sendFile}.
   */
  async sendTree(conversation: ConversationId, picked: PickedTree, options?: OfferOptions): Promise<void> {
    const stableId = this.#messages.stableIdOf(conversation);
    await (await this.exchange.load()).ownFiles.sendTree(stableId, picked, options);
    this.#markWritten(stableId);
  }

  /**
   * Sends a text for the clipboard of a client, or of everyone. Nothing is stored here. Resolves once all have it.
   * @throws WarrenError `no-session` when a recipient is not connected, `frame-too-large`, and as {@link ClipboardOutbox.send}.
   */
  async sendClipboard(conversation: ConversationId, text: string): Promise<void> {
    const recipients = this.#outbox.recipients(conversation);
    if (recipients.length === 0) throw new WarrenError("no-session", { id: conversation });
    const stableId = this.#messages.stableIdOf(conversation);
    await Promise.all(recipients.map((peer) => this.#clipboardOutbox.send(peer, stableId, text)));
  }

  /** Sends a failed message again. */
  retry(key: MessageKey): void {
    const message = this.#messages.find(key);
    if (message?.entry !== undefined)
      for (const [peer, { status }] of Object.entries(message.deliveries))
        if (status === "error" && this.#byLog.has(peer))
          void this.#logExchange.value?.sendAgain(peer, message).catch(() => {});
    this.#outbox.retry(key);
  }

  /** We are writing in a conversation: those who are there learn of it, unless we chose otherwise. */
  sendTyping(conversation: ConversationId): void {
    if (this.#deps.options().tellTyping) this.#typing.say(conversation);
  }

  /** Replaces a text of ours for everybody who has it. @throws WarrenError `frame-too-large`, `no-session`, `storage-failed`. */
  editText(key: MessageKey, data: string): Promise<void> {
    return this.#change(key, (message) => ({ ...this.#now(message), kind: "edit", data }));
  }

  /**
   * Deletes a message of ours for everybody who has it. Transfers of a file end; who has it already keeps it.
   * @throws WarrenError `no-session`, `storage-failed`.
   */
  deleteMessage(key: MessageKey): Promise<void> {
    return this.#change(key, (message) => ({ ...this.#now(message), kind: "delete" }));
  }

  /** Reacts to a message with an emoji, or takes that back. @throws WarrenError as {@link deleteMessage}. */
  react(key: MessageKey, emoji: string): Promise<void> {
    return this.#change(key, (message) => {
      const own = message.reactions?.[this.#deps.selfId]?.emoji ?? [];
      return { ...this.#now(message), kind: "react", emoji: toggled(own, emoji) };
    });
  }

  /** Removes a message here and cancels its transfers; the other side keeps its copy. */
  async remove(key: MessageKey): Promise<void> {
    const message = this.#messages.find(key);
    if (message) await this.#endTransfers(message);
    this.#messages.remove(key);
    if (message) this.#eraseEntry(message);
  }

  /** Accepts an offered file (offer-policy.ts says what follows); its sender becomes an accepted contact. */
  async acceptFile(key: MessageKey): Promise<void> {
    const message = this.#messages.find(key);
    if (message) this.acceptContact(message.client);
    await (await this.exchange.load()).fileOffers.decide("accept", key);
  }

  async declineFile(key: MessageKey): Promise<void> {
    void (await this.exchange.load()).fileOffers.decide("decline", key);
  }

  async pauseFile(key: MessageKey): Promise<void> {
    void (await this.exchange.load()).fileOffers.decide("pause", key);
  }

  /** Resumes a transfer. @returns false if the person has to choose the file again first. */
  async resumeFile(key: MessageKey): Promise<boolean> {
    const { fileOffers, fileSearch } = await this.exchange.load();
    const isAtHand = await fileOffers.resume(key);
    fileSearch.again(key);
    return isAtHand;
  }

  /**
   * Resumes the transfer of one of our files with a newly chosen file. Rejects with `wrong-file` if it is a different
   * one.
   */
  async chooseFile(key: MessageKey, file: File): Promise<void> {
    await (await this.exchange.load()).fileOffers.choose(key, file);
  }

  async cancelFile(key: MessageKey): Promise<void> {
    void (await this.exchange.load()).fileOffers.decide("cancel", key);
  }

  /**
   * Offers one of our files again to the recipients that did not get it.
   * @returns false if it has to be chosen again first. Rejects with `source-changed`, and as {@link sendText}.
   */
  async sendAgain(key: MessageKey): Promise<boolean> {
    const { offers, ownFiles } = await this.exchange.load();
    const message = offers.find(key);
    return message !== null && (await ownFiles.again(message));
  }

  /** Requests a cancelled or deleted file again. If the sender cancelled it, the person there decides. */
  async askAgain(key: MessageKey): Promise<void> {
    await (await this.exchange.load()).fileOffers.askAgain(key);
  }

  /**
   * Deletes files from this browser, once the history is loaded. Their transfers are cancelled first; the messages about
   * them remain.
   * @throws WarrenError `storage-failed`.
   */
  async deleteFiles(fids: readonly FileId[]): Promise<void> {
    const { fileOffers } = await this.exchange.load();
    await Promise.all(fids.map((fid) => fileOffers.discard(fid)));
  }

  /** Asks a client which files it shares with us; the answer, or the error, is put into {@link listings}. */
  async askShares(peer: ClientId): Promise<void> {
    try {
      (await this.exchange.load()).peerShares.ask(peer);
    } catch (thrown) {
      const request = { status: "failed", error: toWarrenError(thrown).describe() } as const;
      changeListing(this.#listings, peer, { request });
    }
  }

  /** Fetches files that a client shares, or their missing parts; each becomes a message of that client. */
  async fetchShares(
    peer: ClientId,
    files: readonly FileDescription[],
    options?: OfferOptions,
  ): Promise<void> {
    (await this.exchange.load()).shareFetches.fetch(peer, files, options);
  }

  /** Cancels fetching a file, or sending it. */
  async stopShare(peer: ClientId, fid: FileId): Promise<void> {
    (await this.exchange.load()).shareFetches.stop(peer, fid);
  }

  /** Applies a changed `filePaceTo` to the files that are being sent to a client. */
  filePaceChanged(peerId: ClientId): void {
    this.exchange.value?.transfers.paceChanged(peerId);
  }

  /**
   * Adds the welcome conversation: a contact with this name and these texts, all read. Idempotent.
   * @throws WarrenError `storage-failed`.
   */
  async addStarter(name: string, texts: readonly string[]): Promise<void> {
    this.#messages.contacts.remember({ clientId: starterId, name, avatar: null, proven: true });
    for (const [index, data] of texts.entries()) {
      const id = `welcome-${index + 1}`;
      const at = { createdAt: this.#deps.clock.now(), sortedAt: this.#messages.nextSortedAt() };
      const from = { client: starterId, conversation: starterId, deliveries: {} };
      const message = { type: "text", key: messageKeyOf(starterId, id), id, data, ...from, ...at } as const;
      await this.#messages.add(message, { read: true });
    }
  }

  /** Deletes a client and the conversation with it, once the history is loaded. @throws WarrenError `storage-failed`. */
  async deleteContact(clientId: ClientId): Promise<void> {
    await this.#messages.whenLoaded;
    await this.#cancelOffersIn(clientId);
    await this.#messages.forget(clientId);
  }

  /** Keeps a call that is over as a line of its conversation, in place of the one that it got before it was joined. */
  async addCall({ caller, other, video, outcome, durationMs, isJoinedLate }: PastCall): Promise<void> {
    const messages = this.#messages;
    const { selfId, clock, log } = this.#deps;
    const stableId = messages.stableIdOf(other ?? everyone);
    const isMissed = caller !== null && outcome === "unanswered";
    const client = isMissed ? caller : selfId;
    await messages.whenLoaded;
    if (this.#trust.isBlocked(other ?? client)) return;
    const before = messages
      .conversation(messages.presentIdOf(stableId))
      .messages.findLast((each): each is CallMessage => each.type === "call");
    if (isJoinedLate && before !== undefined && before.outcome !== "ended") messages.remove(before.key);
    const id = randomUuid();
    const message: CallMessage = {
      ...{
        type: "call",
        key: messageKeyOf(client, id),
        id,
        client,
        conversation: messages.presentIdOf(stableId),
      },
      ...{ createdAt: clock.now(), sortedAt: messages.nextSortedAt(), deliveries: {} },
      ...{ caller: caller ?? selfId, video, outcome: isMissed ? "missed" : outcome, durationMs },
    };
    try {
      await messages.add(message, { read: !isMissed });
    } catch (thrown) {
      log.warn("a call was not added", { code: toWarrenError(thrown).code });
    }
  }

  /** Remembers a client's name, and its picture if given. */
  remember(seen: SeenClient): void {
    this.#messages.contacts.remember(seen);
    this.#trust.recognise(seen.clientId);
  }

  /** Updates the picture of a known client. */
  rememberPicture(clientId: ClientId, avatar: string | null): void {
    const known = this.store.getState().contacts[clientId];
    if (known) this.#messages.contacts.remember({ ...known, avatar, isNearby: known.nearby !== undefined });
  }

  /**
   * Records that the person compared the safety code with a connected client and it matched.
   * @throws WarrenError `not-verifiable` when the client has no key, `no-session` while it is away.
   */
  markVerified(clientId: ClientId): void {
    this.#trust.markVerified(clientId);
  }

  /** The safety codes differ: blocks the client, which ends its session, until it is unblocked or deleted. */
  reportMismatch(clientId: ClientId): void {
    this.#trust.block(clientId, { codeDiffered: true });
  }

  /** Ends the session with a client and refuses it until unblocked or deleted. @returns a function that undoes this. */
  block(clientId: ClientId): () => void {
    return this.#trust.block(clientId, { codeDiffered: false });
  }

  unblock(clientId: ClientId): void {
    this.#trust.unblock(clientId);
  }

  /** Changes what a client may do without asking. @throws WarrenError `not-verifiable` when it never showed a key. */
  permit(clientId: ClientId, permissions: Partial<Permissions>): void {
    this.#trust.permit(clientId, permissions);
  }

  /** A person accepted something of a client: from now on it may draw attention. */
  acceptContact(clientId: ClientId): void {
    this.#messages.contacts.accept(clientId);
  }

  /** Whether a conversation is to draw no attention. Ignored for clients that we have not met, and rooms that we have not been in. */
  setMuted(conversation: ConversationId, muted: boolean): void {
    const stableId = this.#messages.stableIdOf(conversation);
    if (isRoomConversation(stableId)) this.#rooms.update(stableId, { muted });
    else this.#messages.contacts.change(stableId, { muted });
  }

  /** Whether to open a client's conversation when it connects. Ignored for clients we have not met. */
  setRedirect(clientId: ClientId, redirect: boolean): void {
    this.#messages.contacts.change(clientId, { redirect });
  }

  /** A client's channel is open: sends pending messages and resumes transfers. Called again once they are loaded. */
  peerReady(peer: ClientId): void {
    if (this.#readsLog(peer)) void this.#meetByLog(peer);
    this.#outbox.deliverAllTo(peer);
    this.#changeOutbox.deliverAllTo(peer);
    this.#clipboardOutbox.deliverAllTo(peer);
    const isOpenWithPeer = (message: FileMessage) =>
      Object.hasOwn(message.offers, peer) && !isSettled(message);
    if (this.exchange.value) void this.exchange.value.peerReady(peer);
    // Once it exists, it resumes what is open with all connected clients.
    else if (this.#messages.files().some(isOpenWithPeer)) void this.#withExchange(() => {});
  }

  /** A client's channel is closed. */
  peerLost(peer: ClientId): void {
    this.#outbox.endFor(peer);
    this.#byLog.delete(peer);
    this.#missed.delete(peer);
    this.#changeOutbox.endFor(peer);
    this.#clipboardOutbox.suspendFor(peer);
    this.#typing.endFor(peer);
    void this.#logExchange.value?.peerLost(peer).catch(() => {});
    this.exchange.value?.peerLost(peer);
  }

  /** A client is unreachable for now: unacknowledged messages wait. */
  peerUnreachable(peer: ClientId): void {
    this.#outbox.suspendFor(peer);
    this.#clipboardOutbox.suspendFor(peer);
  }

  /** A client is reachable again over the same channel: what had not left is sent. */
  peerReachable(peer: ClientId): void {
    this.#outbox.deliverAllTo(peer);
    this.#changeOutbox.deliverAllTo(peer);
    this.#clipboardOutbox.deliverAllTo(peer);
  }

  /** Handles a message from a client; messages from blocked clients are dropped. */
  async receive(from: ClientId, message: PeerMessage): Promise<void> {
    if (!this.#trust.isBlocked(from)) await this.#incoming.handle(from, message);
  }

  /** Resolves once received data is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancelMeetAgain?.();
    this.#outbox.close();
    this.#clipboardOutbox.close();
    this.#typing.close();
    this.#search.value?.close();
    await this.#logExchange.value?.close();
    void this.#messages.close();
    this.clear();
    await this.exchange.value?.close();
  }

  /** Sends one of our messages: to everyone by the log of the room, if that can be read. */
  async #post(stableId: ConversationId, recipients: readonly ClientId[], body: OwnBody): Promise<void> {
    const exchange = this.#messages.presentIdOf(stableId) === everyone ? await this.#openLog(stableId) : null;
    // Nothing would bring it to those who come later.
    if (exchange === null && recipients.length === 0) throw new WarrenError("no-session", { id: everyone });
    if (exchange === null) await this.#outbox.post(stableId, recipients, body);
    else this.#outbox.deliver(await exchange.post(stableId, body, recipients));
  }

  /** Null without its code, or if it cannot be read: texts then go to those who are here, as from a client without a log. */
  async #openLog(room: RoomTag): Promise<LogExchange | null> {
    if (!this.#deps.hasRoomLog) return null;
    try {
      const exchange = await this.#logExchange.load();
      await exchange.open(room);
      return exchange;
    } catch (thrown) {
      this.#deps.log.warn("the log of the room is missing", { code: toWarrenError(thrown).code });
      return null;
    }
  }

  async #meetByLog(peer: ClientId): Promise<void> {
    if (this.#byLog.has(peer)) return;
    this.#byLog.add(peer);
    try {
      await (await this.#logExchange.load()).peerReady(peer);
    } catch (thrown) {
      this.#deps.log.warn("a client was not met in the log of the room", {
        code: toWarrenError(thrown).code,
      });
      if (!this.#byLog.delete(peer) || this.#isClosed) return;
      this.#missed.add(peer);
      this.#outbox.deliverAllTo(peer);
      this.#cancelMeetAgain ??= this.#deps.clock.after(meetAgainMs, () => {
        this.#cancelMeetAgain = null;
        for (const other of this.#deps.room.readyPeers())
          if (this.#readsLog(other)) void this.#meetByLog(other);
      });
    }
  }

  #leavesByLog(message: ChatMessage, peer: ClientId): Promise<void> | null {
    if (message.entry === undefined || !this.#byLog.has(peer)) return null;
    return this.#logExchange.value?.whenLeft(peer, message) ?? Promise.resolve();
  }

  /** Of an entry whose message was removed nothing is left but that there was one, so that nobody gives it to us again. */
  #eraseEntry(message: ChatMessage): void {
    if (message.entry === undefined) return;
    const room = this.#messages.stableIdOf(message.conversation);
    const { client: author, id, sortedAt, entry: n } = message;
    this.#messages.write({ put: [erasedRecord(room, { author, n, hash: entryHashOf(id) }, sortedAt)] });
    void this.#logExchange.value?.erase(message, room).catch(() => {});
  }

  #updateRemoved(tag: RoomTag, change: (removed: readonly ClientId[]) => ClientId[]): void {
    const room = this.#rooms.get(tag);
    if (room === undefined) return;
    this.#rooms.update(tag, { removed: change(room.removed ?? []) });
    void this.#logExchange.value?.membersChanged(tag).catch(() => {});
  }

  /** We take part in the talk of a room. */
  #markWritten(stableId: ConversationId): void {
    if (isRoomConversation(stableId) && this.#rooms.get(stableId)?.written !== true)
      this.#rooms.update(stableId, { written: true });
  }

  #now(message: ChatMessage): { readonly at: number } {
    return { at: nextChangeAt(message, this.#deps.selfId, this.#deps.clock.now()) };
  }

  /**
   * Changes a message here and for the others: to everyone by an entry of the room's log, and else, or for those without a log,
   * by a message to each.
   */
  #change(key: MessageKey, changeOf: (message: ChatMessage) => MessageChange): Promise<void> {
    // Each is made of the message as the one before leaves it.
    return this.#changes.run(() => this.#endsInTime(this.#changeNow(key, changeOf)));
  }

  async #endsInTime(changing: Promise<void>): Promise<void> {
    let cancel: CancelTimer = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      cancel = this.#deps.clock.after(changeMs, () =>
        reject(new WarrenError("storage-failed", { reason: "no answer" })),
      );
    });
    await Promise.race([changing, late]).finally(() => cancel());
  }

  async #changeNow(key: MessageKey, changeOf: (message: ChatMessage) => MessageChange): Promise<void> {
    const message = await this.#messages.lookUp(key);
    if (message === null) return;
    const { kind, body } = entryOfChange(changeOf(message));
    const sizeBytes = utf8Length(body);
    if (
      sizeBytes > limits.textBytes ||
      utf8Length(JSON.stringify(body)) + envelopeBytes > limits.peerFrameBytes
    )
      throw new WarrenError("frame-too-large", { sizeBytes, limitBytes: limits.textBytes });
    const stableId = this.#messages.stableIdOf(message.conversation);
    const exchange = message.conversation === everyone ? await this.#openLog(stableId) : null;
    const change = changeOf(this.#messages.find(key) ?? message);
    if (withChange(message, this.#deps.selfId, change) === message) return;
    if (kind === "delete") await this.#endTransfers(message);
    if (exchange === null) await this.#changeOutbox.make(key, change);
    else {
      const content = { kind, body, about: messageNameOf(key), time: change.at };
      const isWithoutLog = (peer: ClientId) =>
        this.#deps.room.isReady(peer)
          ? !this.#readsLog(peer)
          : this.#messages.contacts.get(peer)?.proven === false;
      await exchange.change(stableId, content, (put) =>
        this.#changeOutbox.make(key, change, isWithoutLog, put),
      );
    }
    if (kind === "delete") this.#eraseEntry(message);
  }

  async #endTransfers(message: ChatMessage): Promise<void> {
    if (this.#needsCancel(message)) await (await this.exchange.load()).fileOffers.forget(message.key);
  }

  async #cancelOffersIn(conversation: ConversationId): Promise<void> {
    const open = this.#messages
      .conversation(conversation)
      .messages.filter((message) => this.#needsCancel(message));
    if (open.length > 0) {
      const { fileOffers } = await this.exchange.load();
      for (const { key } of open) void fileOffers.decide("cancel", key);
    }
  }

  /** Whether `cancel` has an effect on an offer (`offer-policy.ts`): who declined one of ours may still accept it. */
  #needsCancel(message: ChatMessage): boolean {
    if (message.type !== "file") return false;
    const isMine = message.client === this.#deps.selfId;
    const over: readonly OfferState[] = isMine ? ["complete", "withdrawn"] : ended;
    return Object.values(message.offers).some(({ state }) => !over.includes(state));
  }

  /** Does nothing if the code cannot be fetched: the event counts as lost on the way, and is settled once the code is here. */
  async #withExchange(use: (exchange: FileExchange) => void): Promise<void> {
    try {
      use(await this.exchange.load());
    } catch (thrown) {
      this.#deps.log.warn("the code for files is missing", { code: toWarrenError(thrown).code });
    }
  }
}
