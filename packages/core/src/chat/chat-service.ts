import type { ClientId, FileId, PeerMessage } from "@warren/protocol";
import type { OutgoingMessage } from "../connection/message-channel.ts";
import type { PickedTree } from "../files/picked-tree.ts";
import { Emitter, type EventSource, type Unsubscribe } from "../shared/emitter.ts";
import type { ReadableStore } from "../shared/store.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { ChatEvents, ChatState, Permissions } from "./chat-state.ts";
import type { SeenClient } from "./contacts.ts";
import { reloadedOffer } from "./file-offer.ts";
import { FileOffers } from "./file-offers.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import { type ChatMessage, type ConversationId, type MessageKey, messageKeyOf } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import { Outbox, waitingAgain } from "./outbox.ts";
import { type OfferOptions, OwnFiles } from "./own-files.ts";
import { PeerShares } from "./peer-shares.ts";
import { starterId } from "./starter.ts";
import { Trust } from "./trust.ts";

/** Conversations: texts, files and clipboard, and their delivery. */
export class ChatService implements EventSource<ChatEvents> {
  readonly store: ReadableStore<ChatState>;
  /** Files that other clients share with us. */
  readonly shares: PeerShares;
  readonly #deps: ChatDeps;
  readonly #events = new Emitter<ChatEvents>();
  readonly #messages: MessageLog;
  readonly #outbox: Outbox;
  readonly #ownFiles: OwnFiles;
  readonly #files: FileOffers;
  readonly #incoming: IncomingMessages;
  readonly #trust: Trust;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    const send = (to: ClientId, message: OutgoingMessage) => void deps.room.send(to, message);
    const isReady = (peer: ClientId) => deps.room.isReady(peer);
    const { selfId, clock, log, library, transfers, options, invitations } = deps;
    const messages = new MessageLog({
      storage: deps.storage,
      clock,
      log,
      events: this.#events,
    });
    this.#messages = messages;
    this.store = messages.store;
    this.#outbox = new Outbox({ messages, clock, selfId: deps.selfId, room: deps.room });
    this.#files = new FileOffers({
      selfId,
      messages,
      library,
      transfers,
      options,
      send,
      isReady,
      clock,
      log,
    });
    const files = this.#files;
    this.#ownFiles = new OwnFiles({ ...deps, messages, outbox: this.#outbox, files });
    this.shares = new PeerShares({ messages, files, library, transfers, clock, options, send, isReady });
    this.#trust = new Trust({
      contacts: messages.contacts,
      options,
      invitations,
      peer: (id) => deps.room.peer(id),
    });
    this.#incoming = new IncomingMessages({
      selfId,
      messages,
      outbox: this.#outbox,
      files,
      peerShares: this.shares,
      trust: this.#trust,
      cleanPicture: deps.cleanPicture,
      library,
      clock,
      log,
      options,
      send,
      events: this.#events,
    });
  }

  on<T extends keyof ChatEvents>(type: T, listener: (...args: ChatEvents[T]) => void): Unsubscribe {
    return this.#events.on(type, listener);
  }

  /** Loads the history from storage. @throws WarrenError `storage-failed`. */
  load(): Promise<void> {
    const { selfId } = this.#deps;
    return this.#messages.load(selfId, (message) => reloadedOffer(waitingAgain(message), selfId));
  }

  /**
   * Loads the messages around `place`, a `sortedAt` inside one of the conversation's gaps or at the edge of one.
   * @throws WarrenError `storage-failed`.
   */
  loadAround(conversation: ConversationId, place: number): Promise<void> {
    return this.#messages.loadAround(conversation, place);
  }

  /** Loads all messages about these files, once the chat is loaded. @throws WarrenError `storage-failed`. */
  loadAbout(fids: readonly FileId[]): Promise<void> {
    return this.#messages.loadAbout(fids);
  }

  /** Loads the messages about files that have these keys, as {@link loadAbout}. @throws WarrenError `storage-failed`. */
  loadFiles(keys: readonly MessageKey[]): Promise<void> {
    return this.#messages.loadFiles(keys);
  }

  /**
   * Yields the stored texts of a conversation before a `sortedAt`, in pages, latest first, and loads the messages about
   * files on the way.
   */
  textsBefore(conversation: ConversationId, sortedAt: number): AsyncIterable<readonly ChatMessage[]> {
    return this.#messages.textsBefore(conversation, sortedAt);
  }

  /** Reopens the files of our offers after a reload. Call it once history and files are loaded. */
  reopenOwnFiles(): Promise<void> {
    return this.#files.reopenOwnFiles();
  }

  /** Sets the conversation on the screen: messages that arrive in it count as read. */
  open(conversation: ConversationId | null): void {
    this.#messages.open(conversation);
  }

  /**
   * Sends a text. Resolves once it is shown and durable; it is delivered to each recipient as soon as that one is
   * ready.
   * @throws WarrenError `frame-too-large` over 200 KiB, `no-session` when sent to everyone and nobody is there,
   * `storage-failed`.
   */
  sendText(conversation: ConversationId, text: string): Promise<void> {
    return this.#outbox.sendText(conversation, text);
  }

  /**
   * Offers a file. Resolves once the offer is shown and durable; the bytes are sent when a recipient accepts.
   * @throws WarrenError `file-too-large` over the option `maxFileSize` unless `overLimit` is set, and as
   * {@link sendText}.
   */
  async sendFile(conversation: ConversationId, file: File, options?: OfferOptions): Promise<void> {
    await this.#ownFiles.send(conversation, file, options);
  }

  /**
   * Offers a file that this browser already holds. Nothing is read until a recipient accepts.
   * @throws WarrenError `cache-not-found`, `cache-data-incomplete`, and as {@link sendFile}.
   */
  async forwardFile(conversation: ConversationId, fid: FileId, options?: OfferOptions): Promise<void> {
    await this.#ownFiles.forward(conversation, fid, options);
  }

  /**
   * Offers a folder or several files as one item; otherwise like {@link sendFile}.
   * @throws WarrenError `tree-too-large`, and as {@link sendFile}.
   */
  async sendTree(conversation: ConversationId, picked: PickedTree, options?: OfferOptions): Promise<void> {
    await this.#ownFiles.sendTree(conversation, picked, options);
  }

  /**
   * Sends text to the clipboard inbox of a client, or of everyone. Nothing is stored.
   * @throws WarrenError `no-session` or `channel-not-open` when a recipient is not connected, `frame-too-large`.
   */
  sendClipboard(conversation: ConversationId, text: string): void {
    for (const peer of this.#outbox.recipients(conversation)) {
      this.#deps.room.send(peer, { type: "send-clipboard", data: text });
    }
  }

  /** Removes the clipboard texts received from a client. */
  clearClipboard(clientId: ClientId): void {
    this.#messages.contacts.clearClipboardTexts(clientId);
  }

  /** Sends a failed message again. */
  retry(key: MessageKey): void {
    this.#outbox.retry(key);
  }

  /** Removes a message here; the other side keeps its copy. */
  remove(key: MessageKey): void {
    this.#files.forget(key);
    this.#messages.remove(key);
  }

  acceptFile(key: MessageKey): Promise<void> {
    return this.#files.accept(key);
  }

  declineFile(key: MessageKey): void {
    this.#files.decline(key);
  }

  pauseFile(key: MessageKey): void {
    this.#files.pause(key);
  }

  /** Resumes a transfer. @returns false if the person has to choose the file again first. */
  resumeFile(key: MessageKey): Promise<boolean> {
    return this.#files.resume(key);
  }

  /**
   * Resumes the transfer of one of our files with a newly chosen file. Rejects with `wrong-file` if it is a different
   * one.
   */
  chooseFile(key: MessageKey, file: File): Promise<void> {
    return this.#files.choose(key, file);
  }

  cancelFile(key: MessageKey): void {
    this.#files.cancel(key);
  }

  /**
   * Offers one of our files again to the recipients that did not get it.
   * @returns false if it has to be chosen again first. Rejects with `source-changed`, and as {@link sendText}.
   */
  async sendAgain(key: MessageKey): Promise<boolean> {
    const message = this.#files.find(key);
    return message !== null && (await this.#ownFiles.again(message));
  }

  /** Requests a cancelled or deleted file again. If the sender cancelled it, the person there decides. */
  askAgain(key: MessageKey): Promise<void> {
    return this.#files.askAgain(key);
  }

  /**
   * Deletes files from this browser. Their transfers are cancelled first; the messages about them remain.
   * @throws WarrenError `storage-failed`.
   */
  async deleteFiles(fids: readonly FileId[]): Promise<void> {
    await Promise.all(fids.map((fid) => this.#files.discard(fid)));
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

  /** Deletes a client and the conversation with it. @throws WarrenError `storage-failed`. */
  async deleteContact(clientId: ClientId): Promise<void> {
    for (const message of this.#messages.conversation(clientId).messages) this.#files.cancel(message.key);
    await this.#messages.forget(clientId);
  }

  /** Remembers a client's name, and its picture if given. */
  remember(seen: SeenClient): void {
    this.#messages.contacts.remember(seen);
    this.#trust.recognise(seen.clientId);
  }

  /** Updates the picture of a known client. */
  rememberPicture(clientId: ClientId, avatar: string | null): void {
    const known = this.store.getState().contacts[clientId];
    if (known) this.#messages.contacts.remember({ ...known, avatar });
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

  /** Whether to open a client's conversation when it connects. Ignored for clients we have not met. */
  setRedirect(clientId: ClientId, redirect: boolean): void {
    this.#messages.contacts.change(clientId, { redirect });
  }

  /** A client's channel is open: sends pending messages and resumes transfers. */
  async peerReady(peer: ClientId): Promise<void> {
    this.#outbox.deliverAllTo(peer);
    this.shares.peerReady(peer);
    await this.#files.peerReturned(peer);
  }

  /** A client's channel is closed. */
  peerLost(peer: ClientId): void {
    this.#outbox.pauseFor(peer);
    this.#deps.transfers.peerLost(peer);
    this.shares.peerLost(peer);
  }

  /** A client is unreachable for now: unacknowledged messages wait. */
  peerUnreachable(peer: ClientId): void {
    this.#outbox.pauseFor(peer);
  }

  /** A client is reachable again over the same channel: messages that may be lost are sent again. */
  peerReachable(peer: ClientId): void {
    this.#outbox.deliverAllTo(peer);
  }

  /** Handles a message from a client; messages from blocked clients are dropped. */
  async receive(from: ClientId, message: PeerMessage): Promise<void> {
    if (!this.#trust.isBlocked(from)) await this.#incoming.handle(from, message);
  }

  close(): void {
    this.#outbox.close();
    this.#files.close();
    this.shares.close();
    void this.#messages.close();
    this.#events.clear();
  }
}
