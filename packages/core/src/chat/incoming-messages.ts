import {
  type ClientId,
  type PeerMessage,
  type PeerMessageOf,
  type PeerMessageType,
  type RoomTag,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { ChangeOutbox } from "../messages/change-outbox.ts";
import type { ChatEvents } from "../messages/chat-state.ts";
import type { ClipboardOutbox } from "../messages/clipboard-outbox.ts";
import type { ClipboardTexts } from "../messages/clipboard-texts.ts";
import {
  type ChatMessage,
  entryNumberOf,
  everyone,
  type MessageHead,
  type MessageKey,
  messageKeyOf,
  type TextMessage,
} from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { Trust } from "../messages/trust.ts";
import { describeWireError, errorAnswer } from "../messages/wire-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { Options } from "../settings/options.ts";
import type { Emitter } from "../shared/emitter.ts";
import type { Lazy } from "../shared/lazy.ts";
import type { Log } from "../shared/log.ts";
import type { FileExchange } from "./file-exchange.ts";
import type { IncomingChanges } from "./incoming-changes.ts";
import type { LogExchange } from "./log-exchange.ts";
import type { Typing } from "./typing.ts";

/** Messages of a client that wait for storage or code. */
const waitingMax = 1_000;
/** The shortest interval between a client's automatic clipboard writes. */
const clipboardWriteEveryMs = 1_000;

/**
 * What a message of one type needs before it is handled, and how that is done. The messages about the file of a field `fid` are
 * loaded for every type. Its schema, its limits and who may be sent it stand in protocol's `peer-message.ts`, which lists what a new
 * message type needs.
 */
interface Row<T extends PeerMessageType> {
  /** The code for files has to be there. */
  readonly needsFiles?: true;
  /** The messages that it may be about: one that is here has to be in memory, and the code for files if it is about one. */
  readonly names?: (from: ClientId, message: PeerMessageOf<T>) => readonly MessageKey[];
  /** It answers, so it is never answered by an error: that could loop forever. */
  readonly isAnswer?: true;
  /** @param room the one we were in when it arrived */
  readonly handle: (from: ClientId, message: PeerMessageOf<T>, room: RoomTag) => void | Promise<void>;
}

type Rows = { readonly [T in PeerMessageType]: Row<T> };

/** For a message that is handled elsewhere. */
const elsewhere = { handle: () => {} };

interface IncomingDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly clipboardTexts: ClipboardTexts;
  readonly outbox: Outbox;
  readonly changeOutbox: ChangeOutbox;
  readonly clipboardOutbox: ClipboardOutbox;
  readonly changes: IncomingChanges;
  readonly typing: Typing;
  readonly exchange: Lazy<FileExchange>;
  readonly logExchange: Lazy<LogExchange>;
  readonly trust: Trust;
  readonly hasRoomLog: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: () => Pick<Options, "enableClipboard">;
  /** Sends a message to a client, unless it has just disconnected. */
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
  /** Whether we meet pages nearby, among whom there is no conversation of everyone. */
  readonly isNearby: () => boolean;
  /** Whether what a client says to everyone in the room we are in is not taken. */
  readonly isRemoved: (client: ClientId) => boolean;
  readonly events: Emitter<ChatEvents>;
}

/** Handles the messages of peers, one row per message type; a missing one does not compile. */
export class IncomingMessages {
  readonly #deps: IncomingDeps;
  readonly #rows: Rows;
  /** Messages waiting for their subject, or for the file exchange, to load. */
  readonly #loading = new Map<ClientId, Promise<void>>();
  readonly #waiting = new Map<ClientId, number>();
  readonly #clipboardWrittenAt = new Map<ClientId, number>();

  constructor(deps: IncomingDeps) {
    this.#deps = deps;
    const aboutFiles = <T extends PeerMessageType>(
      handle: (files: FileExchange, from: ClientId, message: PeerMessageOf<T>) => void | Promise<void>,
      names: Pick<Row<T>, "names"> = {},
    ): Row<T> => ({
      ...names,
      needsFiles: true,
      handle: (from, message) => handle(this.#exchange, from, message),
    });
    const aboutLog = <T extends PeerMessageType>(
      handle: (log: LogExchange, from: ClientId, message: PeerMessageOf<T>, room: RoomTag) => Promise<void>,
    ): Row<T> => ({
      handle: async (from, message, room) => handle(await this.#deps.logExchange.load(), from, message, room),
    });
    // It is, or answers, the message with its id.
    const names = (from: ClientId, { id }: Pick<PeerMessage, "id">) => [
      messageKeyOf(deps.selfId, id),
      messageKeyOf(from, id),
    ];
    this.#rows = {
      "send-text": { handle: (from, m) => this.#onText(from, m) },
      "edit-text": { handle: (from, m) => this.#deps.changes.receive(from, m) },
      "delete-text": { handle: (from, m) => this.#deps.changes.receive(from, m) },
      react: { handle: (from, m) => this.#deps.changes.receive(from, m) },
      typing: { handle: (from, m) => this.#deps.typing.receive(from, m) },
      "send-clipboard": { handle: (from, m) => this.#onClipboard(from, m) },
      "check-message": { names, isAnswer: true, handle: (from, m, room) => this.#onCheck(from, m, room) },
      error: { names, isAnswer: true, handle: (from, m) => this.#onError(from, m) },
      "send-file": aboutFiles((files, from, m) => files.incoming.receive(from, m, this.#headOf(from, m)), {
        names,
      }),
      "request-file": aboutFiles(({ ownShares }, from, m) => ownShares.serve(from, m)),
      "find-file": aboutFiles(({ ownShares }, from, m) => ownShares.find(from, m), {
        names: (_from, { original }) => [messageKeyOf(original.client, original.id)],
      }),
      "resume-file": aboutFiles(({ fileOffers }, from, m) => fileOffers.resumedBy(from, m)),
      "pause-file": aboutFiles(({ fileOffers, offers }, from, m) =>
        fileOffers.receive(m, offers.last(from, m.fid)),
      ),
      "cancel-file": aboutFiles(({ fileOffers, offers }, from, m) =>
        fileOffers.receive(m, offers.last(from, m.fid)),
      ),
      "same-file": aboutFiles(({ sameFiles }, from, m) => sameFiles.receive(from, m), { names }),
      "request-storage": aboutFiles(({ ownShares }, from, m) => ownShares.list(from, m)),
      storage: aboutFiles(({ peerShares }, from, m) => peerShares.receive(from, m)),
      heads: aboutLog((log, from, m, room) => log.receiveHeads(from, m, room)),
      "request-entries": aboutLog((log, from, m, room) => log.receiveRequest(from, m, room)),
      entries: aboutLog((log, from, m, room) => log.receiveEntries(from, m, room)),
      // Handled in session/peer-session.ts, which passes only `profile` on; warren.ts remembers it.
      bind: elsewhere,
      end: elsewhere,
      "media-refused": elsewhere,
      profile: elsewhere,
      // Handled in lanes/lanes.ts.
      "lane-signal": elsewhere,
      "lane-close": elsewhere,
      // Handled in call/room-call.ts.
      "media-sources": elsewhere,
      "view-sizes": elsewhere,
      ring: elsewhere,
      "ring-answer": elsewhere,
      "ring-end": elsewhere,
    };
  }

  /** Handles one message. Failures are answered with an error and never end the session. */
  async handle(from: ClientId, message: PeerMessage): Promise<void> {
    const { room } = this.#deps.messages.store.getState();
    try {
      const loading = this.#loadSubject(from, message);
      if (loading !== null) await loading;
      // A person may have blocked the client, or removed it, while it waited.
      const isTaken =
        !this.#deps.trust.isBlocked(from) && !(this.#isToEveryone(message) && this.#deps.isRemoved(from));
      if (isTaken) await this.#dispatch(from, message, room);
    } catch (thrown) {
      const error = toWarrenError(thrown);
      this.#deps.log.debug("a message failed", { type: message.type, code: error.code });
      // Without its code, a message about a file counts as lost on the way: both ends settle it once the code is here.
      if (error.code === "app-code-missing") return;
      if (!this.#rows[message.type].isAnswer) this.#deps.answer(from, errorAnswer(message.id, error));
    }
  }

  /**
   * Loads the messages that one from a client is about, so that handlers find them in memory, and the file exchange for
   * those about files; those that come after it wait as well. People are met before the history is loaded, so the first
   * messages may wait for that. Null if nothing has to be loaded.
   */
  #loadSubject(from: ClientId, message: PeerMessage): Promise<void> | null {
    const { messages, exchange } = this.#deps;
    const fids = "fid" in message && message.fid !== undefined ? [message.fid] : [];
    const { needsFiles } = this.#rows[message.type];
    const keys = this.#namedBy(from, message);
    const before = this.#loading.get(from);
    const waiting = this.#waiting.get(from) ?? 0;
    if (waiting >= waitingMax) throw new WarrenError("rate-limited");
    const needsExchange = () =>
      exchange.value === null && (needsFiles || keys.some((key) => messages.find(key)?.type === "file"));
    const { loaded } = messages.store.getState();
    if (before === undefined && loaded && messages.hasFiles(fids, keys) && !needsExchange()) return null;
    const load = async () => {
      await messages.whenLoaded;
      await messages.loadAbout(fids);
      await messages.loadFiles(keys);
      if (needsExchange()) await exchange.load();
    };
    const loading = (before ?? Promise.resolve()).catch(() => {}).then(load);
    this.#loading.set(from, loading);
    this.#waiting.set(from, waiting + 1);
    return loading.finally(() => {
      this.#waiting.set(from, (this.#waiting.get(from) ?? 0) - 1);
      if (this.#loading.get(from) !== loading) return;
      this.#loading.delete(from);
      this.#waiting.delete(from);
    });
  }

  #namedBy<T extends PeerMessageType>(from: ClientId, message: PeerMessageOf<T>): readonly MessageKey[] {
    const row: Row<T> = this.#rows[message.type as T];
    return row.names?.(from, message) ?? [];
  }

  /** Loaded before a message about a file is handled. */
  get #exchange(): FileExchange {
    const { value } = this.#deps.exchange;
    if (value === null) throw new WarrenError("app-code-missing");
    return value;
  }

  #dispatch<T extends PeerMessageType>(
    from: ClientId,
    message: PeerMessageOf<T>,
    room: RoomTag,
  ): void | Promise<void> {
    const row: Row<T> = this.#rows[message.type as T];
    return row.handle(from, message, room);
  }

  async #onText(from: ClientId, wire: PeerMessageOf<"send-text">): Promise<void> {
    const { data, quote } = wire;
    const head = this.#headOf(from, wire);
    const message: ChatMessage = {
      ...{ ...head, type: "text", data },
      // Who reads logs gets what was signed as an entry.
      ...(head.conversation === everyone && this.#deps.hasRoomLog && { doubt: "unsigned" }),
      ...(quote && { quote: messageKeyOf(quote.client, quote.id) }),
    };
    await this.#deps.messages.add(message, { read: false });
    this.#deps.typing.arrived(from, message.conversation);
    // Acknowledge only stored messages: if the page closes first, the sender sends it again.
    await this.#deps.messages.stored(message.key);
    this.#deps.answer(from, { type: "check-message", id: wire.id });
    await this.#deps.changes.arrived(message.key);
  }

  async #onClipboard(from: ClientId, wire: PeerMessageOf<"send-clipboard">): Promise<void> {
    const { messages, options, events, clipboardTexts } = this.#deps;
    const acknowledge = () => this.#deps.answer(from, { type: "check-message", id: wire.id });
    if (!options().enableClipboard) return acknowledge();
    const head = this.#headOf(from, wire);
    const message: TextMessage = { ...head, type: "text", data: wire.data, clipboard: true };
    if (await messages.add(message, { read: false }))
      events.emit("clipboard", message, this.#mayWriteClipboard(from));
    await messages.stored(message.key);
    acknowledge();
    await clipboardTexts.added(message);
  }

  /** A text within the interval is shown but does not replace the clipboard's content. */
  #mayWriteClipboard(from: ClientId): boolean {
    if (!this.#deps.trust.allows(from, "write-clipboard")) return false;
    const now = this.#deps.clock.elapsedMs();
    if (now - (this.#clipboardWrittenAt.get(from) ?? Number.NEGATIVE_INFINITY) < clipboardWriteEveryMs)
      return false;
    this.#clipboardWrittenAt.set(from, now);
    return true;
  }

  async #onCheck(from: ClientId, wire: PeerMessageOf<"check-message">, room: RoomTag): Promise<void> {
    if (this.#deps.changeOutbox.settle(from, wire.id)) return;
    if (this.#deps.clipboardOutbox.settle(from, wire.id)) return;
    const files = this.#deps.exchange.value;
    if (files?.fileSearch.found(from, wire)) return;
    const key = messageKeyOf(this.#deps.selfId, wire.id);
    // Its heads may come later than its answer.
    if (wire.fid !== undefined) files?.fileOffers.admit(from, wire.fid, key);
    const message = this.#deps.outbox.acknowledge(key, from);
    if (entryNumberOf(wire.id) !== null)
      void this.#deps.logExchange.value?.receiveStored(from, wire.id, room).catch(() => {});
    if (!message) {
      const error = new WarrenError("check-message-not-found", { id: wire.id });
      this.#deps.log.debug(error.message);
      if (wire.pending) this.#deps.answer(from, errorAnswer(wire.id, error));
      return;
    }
    this.#deps.changeOutbox.deliverAllTo(from);
    if (message.type !== "file") return;
    const { fileOffers, offers } = this.#exchange;
    await fileOffers.receive(wire, offers.shownIn(message.key, from)[0]);
  }

  async #onError(from: ClientId, wire: PeerMessageOf<"error">): Promise<void> {
    const { outbox, exchange, selfId } = this.#deps;
    const error = describeWireError(wire);
    // What a client refuses it will refuse again.
    if (this.#deps.changeOutbox.settle(from, wire.id)) return;
    if (this.#deps.clipboardOutbox.settle(from, wire.id, error)) return;
    const message = outbox.fail(messageKeyOf(selfId, wire.id), from, error);
    if (message?.type === "text") return;
    // One about no message answers a request, which only a loaded exchange makes.
    if (!message && exchange.value?.peerShares.failed(from, wire.id, error)) return;
    if (!message && exchange.value?.fileSearch.failed(from, wire.id, error.code)) return;
    const key = message?.key ?? messageKeyOf(from, wire.id);
    await exchange.value?.fileOffers.receive(wire, exchange.value.offers.shownIn(key, from)[0]);
  }

  #isToEveryone(message: PeerMessage): boolean {
    return "scope" in message && message.scope === "room" && !this.#deps.isNearby();
  }

  #headOf(from: ClientId, wire: PeerMessageOf<"send-text" | "send-clipboard" | "send-file">): MessageHead {
    const now = this.#deps.clock.now();
    return {
      key: messageKeyOf(from, wire.id),
      id: wire.id,
      conversation: this.#isToEveryone(wire) ? everyone : from,
      client: from,
      // A sender's clock that runs ahead must not show a time in the future.
      createdAt: Math.min(wire.createdAt, now),
      sortedAt: this.#deps.messages.nextSortedAt(),
      deliveries: {},
    };
  }
}
