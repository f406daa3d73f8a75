import type { ClientId, FileId, PeerMessage } from "@warren/protocol";
import type { OutgoingMessage } from "../connection/message-channel.ts";
import type { PickedTree } from "../files/picked-tree.ts";
import { Emitter, type EventSource, type Unsubscribe } from "../shared/emitter.ts";
import type { ReadableStore } from "../shared/store.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { ChatState, Permissions } from "./chat-state.ts";
import type { SeenClient } from "./contacts.ts";
import { FileOffers, reloadedOffer } from "./file-offers.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import { type ChatMessage, type ConversationId, type MessageKey, messageKeyOf } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import { Outbox, waitingAgain } from "./outbox.ts";
import { type OfferOptions, OwnFiles } from "./own-files.ts";
import { PeerShares } from "./peer-shares.ts";
import { starterId } from "./starter.ts";
import { Trust } from "./trust.ts";

interface ChatEvents {
  /** The browser had deleted all that it stored for us; the chat is being stored again. */
  "storage-emptied": [];
  /** Clipboard text from a client; `allowed` says whether it may be written to the clipboard without asking. */
  clipboard: [from: ClientId, text: string, allowed: boolean];
}

/** Conversations: texts, files and clipboard, with their delivery. */
export class ChatService implements EventSource<ChatEvents> {
  readonly store: ReadableStore<ChatState>;
  /** What others share with us. */
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
      onEmptied: () => this.#events.emit("storage-emptied"),
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
    });
    const files = this.#files;
    this.#ownFiles = new OwnFiles({ ...deps, outbox: this.#outbox, files });
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
      onClipboard: (...news) => this.#events.emit("clipboard", ...news),
    });
  }

  on<T extends keyof ChatEvents>(type: T, listener: (...args: ChatEvents[T]) => void): Unsubscribe {
    return this.#events.on(type, listener);
  }

  /** Reads history from storage. @throws WarrenError `storage-failed`. */
  load(): Promise<void> {
    const { selfId } = this.#deps;
    return this.#messages.load(selfId, (message) => reloadedOffer(waitingAgain(message), selfId));
  }

  /**
   * Loads the texts next to a place of a conversation, a `sortedAt` in one of its gaps or at an end of one.
   * @throws WarrenError `storage-failed`.
   */
  loadAround(conversation: ConversationId, place: number): Promise<void> {
    return this.#messages.loadAround(conversation, place);
  }

  /** The stored texts of a conversation before a `sortedAt`, a page at a time, the latest first. */
  textsBefore(conversation: ConversationId, sortedAt: number): AsyncIterable<readonly ChatMessage[]> {
    return this.#messages.textsBefore(conversation, sortedAt);
  }

  /** Says what transfers of an earlier page wait for; call it once history and files are read. */
  revive(): Promise<void> {
    return this.#files.revive();
  }

  /** Says which conversation is on the screen, so that what arrives there counts as read. */
  open(conversation: ConversationId | null): void {
    this.#messages.open(conversation);
  }

  /**
   * Writes a text. It is shown and durable when this resolves, and delivered when each recipient is there.
   * @throws WarrenError `frame-too-large` over 200 KiB, `no-session` to everyone with nobody there, `storage-failed`.
   */
  sendText(conversation: ConversationId, text: string): Promise<void> {
    return this.#outbox.sendText(conversation, text);
  }

  /**
   * Offers a file. Shown and durable when this resolves; its bytes go when a recipient accepts.
   * @throws WarrenError `file-too-large` over the option `maxFileSize` unless the person wants that, and as {@link sendText}.
   */
  async sendFile(conversation: ConversationId, file: File, options?: OfferOptions): Promise<void> {
    await this.#ownFiles.send(conversation, file, options);
  }

  /**
   * Offers a file that is here already, by its id: nothing of it is read before somebody accepts.
   * @throws WarrenError `cache-not-found`, `cache-data-incomplete`, and as {@link sendFile}.
   */
  async forwardFile(conversation: ConversationId, fid: FileId, options?: OfferOptions): Promise<void> {
    await this.#ownFiles.forward(conversation, fid, options);
  }

  /**
   * Offers a folder, or many files, as one; otherwise as {@link sendFile}.
   * @throws WarrenError `tree-too-large`, and as {@link sendFile}.
   */
  async sendTree(conversation: ConversationId, picked: PickedTree, options?: OfferOptions): Promise<void> {
    await this.#ownFiles.sendTree(conversation, picked, options);
  }

  /**
   * Puts a text into the clipboard inbox of a client, or of everyone. Nothing is kept.
   * @throws WarrenError `no-session` or `channel-not-open` when a recipient is not there, `frame-too-large`.
   */
  sendClipboard(conversation: ConversationId, text: string): void {
    for (const peer of this.#outbox.recipients(conversation)) {
      this.#deps.room.send(peer, { type: "send-clipboard", data: text });
    }
  }

  /** Forgets the clipboard texts that a client has sent. */
  clearClipboard(clientId: ClientId): void {
    this.#messages.contacts.clearClipboardTexts(clientId);
  }

  /** Sends again what failed. */
  retry(key: MessageKey): void {
    this.#outbox.retry(key);
  }

  /** Removes a message here; the other side keeps its own. */
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

  /** Goes on with a transfer. @returns false where a file of ours has to be chosen again first. */
  resumeFile(key: MessageKey): Promise<boolean> {
    return this.#files.resume(key);
  }

  /** Goes on with a file of ours that a person chose again. Rejects with `wrong-file` when it is another one. */
  chooseFile(key: MessageKey, file: File): Promise<void> {
    return this.#files.choose(key, file);
  }

  cancelFile(key: MessageKey): void {
    this.#files.cancel(key);
  }

  /**
   * Offers a file of ours once more to those who did not get it.
   * @returns false where it has to be chosen again first. Rejects with `source-changed`, and as {@link sendText}.
   */
  async sendAgain(key: MessageKey): Promise<boolean> {
    const message = this.#files.find(key);
    return message !== null && (await this.#ownFiles.again(message));
  }

  /** Asks for a file again that was cancelled or is gone; where its sender cancelled it, they are asked and decide. */
  askAgain(key: MessageKey): Promise<void> {
    return this.#files.askAgain(key);
  }

  /**
   * Deletes files from this browser. Transfers of them are given up first; messages about them stay.
   * @throws WarrenError `storage-failed`.
   */
  async deleteFiles(fids: readonly FileId[]): Promise<void> {
    await Promise.all(fids.map((fid) => this.#files.discard(fid)));
  }

  /**
   * Welcomes a newcomer: a contact of this name that has said these texts, all read. Saying them twice changes nothing.
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

  /** Forgets a client and the conversation with it. @throws WarrenError `storage-failed`. */
  async deleteContact(clientId: ClientId): Promise<void> {
    for (const message of this.#messages.conversation(clientId).messages) this.#files.cancel(message.key);
    await this.#messages.forget(clientId);
  }

  /** A client is known by this name, and picture where it is given, from now on. */
  remember(seen: SeenClient): void {
    this.#messages.contacts.remember(seen);
    this.#trust.recognise(seen.clientId);
  }

  /** A client who was met shows this picture from now on. */
  rememberPicture(clientId: ClientId, avatar: string | null): void {
    const known = this.store.getState().contacts[clientId];
    if (known) this.#messages.contacts.remember({ ...known, avatar });
  }

  /**
   * The person compared the safety code with a client who is here, and it matched.
   * @throws WarrenError `not-verifiable` when the client has no key, `no-session` while it is away.
   */
  markVerified(clientId: ClientId): void {
    this.#trust.markVerified(clientId);
  }

  /** The safety codes differ: the client is blocked, which ends its session, until unblocked or deleted. */
  reportMismatch(clientId: ClientId): void {
    this.#trust.block(clientId, { codeDiffered: true });
  }

  /** Ends the session with a client and refuses it until unblocked or deleted. @returns what takes it back. */
  block(clientId: ClientId): () => void {
    return this.#trust.block(clientId, { codeDiffered: false });
  }

  unblock(clientId: ClientId): void {
    this.#trust.unblock(clientId);
  }

  /** Lets a client do things unasked, or no longer. @throws WarrenError `not-verifiable` when it never showed a key. */
  setTrust(clientId: ClientId, permissions: Partial<Permissions>): void {
    this.#trust.permit(clientId, permissions);
  }

  /** Whether the page is to go to a client's conversation when it connects; of one we have not met nothing is noted. */
  setRedirect(clientId: ClientId, redirect: boolean): void {
    this.#messages.contacts.change(clientId, { redirect });
  }

  /** A client's channel is open: what waits for it goes out, what came from it goes on. */
  async peerReady(peer: ClientId): Promise<void> {
    this.#outbox.deliverAllTo(peer);
    this.shares.peerReady(peer);
    await this.#files.peerReturned(peer);
  }

  /** A client's channel is gone. */
  peerLost(peer: ClientId): void {
    this.#outbox.pauseFor(peer);
    this.#deps.transfers.peerLost(peer);
    this.shares.peerLost(peer);
  }

  /** Nothing passes to a client for now: what it has not answered waits. */
  peerUnreachable(peer: ClientId): void {
    this.#outbox.pauseFor(peer);
  }

  /** Packets pass to a client again over the channel it had: what may not have arrived is sent again. */
  peerReachable(peer: ClientId): void {
    this.#outbox.deliverAllTo(peer);
  }

  /** A message of a client arrived; one of a blocked client is dropped. */
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
