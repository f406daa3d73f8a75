import { type ClientId, toWarrenError, WarrenError } from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import { isNoRoom } from "../files/space.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { cancellationOf, partsOf, type TransferKey, transferKeyOf } from "../transfer/transfer-state.ts";
import { type FileMessages, isPausedHere, mayGoOn, waitsForTurn } from "./file-messages.ts";
import type { FileMessage, MessageKey } from "./message.ts";
import { offerAnswer, pendingAnswer } from "./offer-answer.ts";
import { StorageWait } from "./storage-wait.ts";
import { errorAnswer } from "./wire-error.ts";

interface IncomingFilesDeps {
  readonly messages: FileMessages;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly isReady: (peer: ClientId) => boolean;
  /** Sends to who is here. */
  readonly tell: (peer: ClientId, message: OutgoingMessage) => void;
  readonly clock: Clock;
}

/** What becomes of files that others offer us, until their bytes come. Every message is one of somebody else. */
export class IncomingFiles {
  readonly #deps: IncomingFilesDeps;
  readonly #room: StorageWait;
  /** The offers whose senders were asked whether they stand. */
  readonly #asked = new Set<MessageKey>();
  readonly #stopListening: () => void;

  constructor(deps: IncomingFilesDeps) {
    this.#deps = deps;
    const { clock, library, transfers } = deps;
    this.#room = new StorageWait({
      clock,
      library,
      tryAgain: () => this.resumeAll(this.#waitingForRoom()),
    });
    this.#stopListening = transfers.on("unexpected", (key) => this.#onUnexpected(key));
  }

  /**
   * Takes an offer: prepares the disk, then tells the sender to begin. While the sender is away the offer is kept as
   * accepted and goes on when they are back.
   */
  accept(message: FileMessage): Promise<void> {
    return this.#ask(message, { type: "check-message", id: message.id });
  }

  /** Refuses an offer, also one that was accepted and that its sender has not begun. */
  decline(message: FileMessage): void {
    const { messages, transfers, tell } = this.#deps;
    const sender = message.client;
    const error = new WarrenError("transfer-declined");
    messages.setAll(message, sender, { status: "error", error: error.describe() });
    const key = transferKeyOf(sender, message.file.fid);
    if (transfers.isUnderWay(key)) transfers.cancel(key, error);
    tell(sender, errorAnswer(message.id, error));
  }

  /** As {@link FileExchange.askAgain}. */
  async askAgain(message: FileMessage): Promise<void> {
    const { client: sender, transfers } = message;
    const state = transfers[sender];
    const cancellation = cancellationOf(state);
    if (cancellation?.by === "sender") {
      this.#deps.messages.noteAskedAgain(message, sender);
      this.#askOnceMore(message);
    } else if (state?.status === "complete") await this.request(message);
    else await this.resume(message);
  }

  /** Someone is back who was asked for cancelled files while away. */
  repeatQuestionsTo(sender: ClientId): void {
    for (const message of this.#deps.messages.all())
      if (message.client === sender && cancellationOf(message.transfers[sender])?.askedAgain)
        this.#askOnceMore(message);
  }

  #askOnceMore({ client, id, file }: FileMessage): void {
    this.#deps.tell(client, { type: "request-file", id, fid: file.fid });
  }

  /** Asks the sender of a message for its file, which it shares; the answer is the file. */
  async request(message: FileMessage): Promise<void> {
    if (await this.#expect(message))
      this.#deps.tell(message.client, { type: "request-file", id: message.id, fid: message.file.fid });
  }

  /** Goes on with a file, or begins it: its sender is asked for it. */
  resume(message: FileMessage): Promise<void> {
    return this.#ask(message, { type: "resume-file", fid: message.file.fid });
  }

  /** A sender wants to go on with an offer. Where we do not, or not yet, they are told how it stands. */
  async goOn(message: FileMessage): Promise<void> {
    const { tell } = this.#deps;
    const { client: sender, file, transfers } = message;
    const state = transfers[sender];
    if (isPausedHere(state)) tell(sender, { type: "pause-file", fid: file.fid });
    // What waits for its turn is asked for then, however often its sender asks.
    else if (!mayGoOn(state) || waitsForTurn(state)) tell(sender, offerAnswer(message));
    else {
      if (waitsForRoom(message)) this.#tellNoRoom(message);
      await this.resume(message);
    }
  }

  /** Someone is back: they say of each of their offers that nobody has decided on if it stands no more. */
  askAboutOffersOf(sender: ClientId): void {
    for (const { client, key, id, transfers } of this.#deps.messages.all()) {
      if (client !== sender || transfers[sender]?.status !== "init") continue;
      this.#asked.add(key);
      this.#deps.tell(sender, pendingAnswer(id));
    }
  }

  /** Whether a sender that does not know an offer of theirs was asked about it: then it was deleted there. */
  wasDeletedThere(key: MessageKey): boolean {
    return this.#asked.delete(key);
  }

  /** As {@link resume}, all at once: one that waits for its turn does not hold up the others. */
  async resumeAll(messages: readonly FileMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.resume(message)));
  }

  /** A file does not fit any more: it goes on when there is room. */
  waitForRoom(message: FileMessage): void {
    const sender = message.client;
    this.#deps.messages.setStatus(message.key, sender, { status: "paused", by: "storage" });
    this.#tellNoRoom(message);
    this.#room.wait();
  }

  /** Watches for room where an earlier page did. */
  revive(): void {
    if (this.#waitingForRoom().length > 0) this.#room.wait();
  }

  close(): void {
    this.#stopListening();
    this.#room.close();
  }

  /** Asks a sender to begin, once we are ready for it. */
  async #ask(message: FileMessage, request: OutgoingMessage): Promise<void> {
    const { isReady, messages, tell } = this.#deps;
    const sender = message.client;
    if (!isReady(sender)) messages.setStatus(message.key, sender, { status: "paused", by: "absence" });
    else if (await this.#expect(message)) tell(sender, request);
  }

  /** @returns whether its sender may begin; where not, its message says why. */
  async #expect(message: FileMessage): Promise<boolean> {
    const { messages, transfers, library } = this.#deps;
    const sender = message.client;
    const wasBegun = waitsForRoom(message) || Object.hasOwn(library.store.getState(), message.file.fid);
    try {
      return await transfers.expect(sender, message.file);
    } catch (thrown) {
      const error = toWarrenError(thrown);
      // What was begun waits until there is room; what does not fit is not begun.
      const waits = isNoRoom(error) || (wasBegun && error.code === "not-enough-space");
      if (waits && waitsForRoom(messages.find(message.key) ?? message)) this.#room.wait();
      else if (waits) this.waitForRoom(message);
      else this.#fail(message, error);
      return false;
    }
  }

  /** A file can not be taken now. How much room there is here is nobody else's business. */
  #fail(message: FileMessage, error: WarrenError): void {
    const { messages, tell } = this.#deps;
    messages.setStatus(message.key, message.client, { status: "error", error: error.describe() });
    if (error.code === "not-enough-space") this.#tellNoRoom(message);
    // It may be on its way from somebody else, so they do not have it yet.
    else if (error.code === "cache-exists") tell(message.client, pendingAnswer(message.id));
    else tell(message.client, errorAnswer(message.id, error));
  }

  #tellNoRoom({ client: sender, file: { fid } }: FileMessage): void {
    this.#deps.tell(sender, { type: "pause-file", fid, reason: "storage" });
  }

  #waitingForRoom(): readonly FileMessage[] {
    return this.#deps.messages.all().filter(waitsForRoom);
  }

  /** A sender begins with what we no longer waited for: it was asleep, and is asked once more. */
  #onUnexpected(key: TransferKey): void {
    const { peerId, fid } = partsOf(key);
    const message = this.#deps.messages.offerFrom(peerId, fid);
    const state = message?.transfers[peerId];
    if (message && state?.status === "paused" && state.by === "absence") void this.resume(message);
  }
}

function waitsForRoom({ client, transfers }: FileMessage): boolean {
  const state = transfers[client];
  return state?.status === "paused" && state.by === "storage";
}
