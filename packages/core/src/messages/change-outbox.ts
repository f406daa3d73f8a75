import { type ClientId, canRead, type MessageId, WarrenError } from "@warren/protocol";
import type { StoredRecord } from "../ports/record-storage.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { randomUuid } from "../shared/ids.ts";
import type { ChatRoom } from "./chat-deps.ts";
import { isRoomConversation } from "./conversation-names.ts";
import {
  type ChangeKind,
  type ChatMessage,
  everyone,
  isPending,
  type MessageKey,
  messageNameOf,
} from "./message.ts";
import { type MessageChange, unsentChange, withOwnChange, withoutUnsent } from "./message-changes.ts";
import type { MessageLog } from "./message-log.ts";

interface ChangeOutboxDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly room: ChatRoom;
  /** Whether a client is told nothing of what is said to everyone in the room we are in. */
  readonly isRemoved: (peer: ClientId) => boolean;
}

/** A change that a client has yet to acknowledge. */
interface Sent {
  readonly id: MessageId;
  readonly key: MessageKey;
  readonly kind: ChangeKind;
  readonly at: number;
}

/**
 * Makes our changes of messages and delivers them: at once to who is there, and to the others when they return. What is sent is
 * always the latest, so a change that another one of its kind has replaced never travels, and one that is repeated because its
 * acknowledgement was lost changes nothing.
 */
export class ChangeOutbox {
  readonly #deps: ChangeOutboxDeps;
  /** The clients to which changes are being sent. */
  readonly #running = new Set<ClientId>();
  /** What each client that is there has been sent on this connection. */
  readonly #sent = new Map<ClientId, Map<string, Sent>>();

  constructor(deps: ChangeOutboxDeps) {
    this.#deps = deps;
  }

  /**
   * Changes a message here, and for everybody who is to get that from us: those it was sent to, or of a reaction all who are in
   * the conversation now. Does nothing to a message that is not here.
   * @param put is stored together with that
   * @throws WarrenError `no-session` for one of a room that we are not in.
   */
  async make(
    key: MessageKey,
    change: MessageChange,
    isRecipient: (peer: ClientId) => boolean = () => true,
    put: readonly StoredRecord[] = [],
  ): Promise<void> {
    const { messages, selfId } = this.#deps;
    let recipients: readonly ClientId[] = [];
    const withRecipients = (message: ChatMessage) => {
      recipients = this.#recipientsOf(message, change.kind).filter(isRecipient);
      return withOwnChange(message, selfId, change, recipients);
    };
    await messages.change(key, withRecipients, put);
    for (const peer of recipients) this.deliverAllTo(peer);
  }

  /** A client is within reach: sends all changes that it has not got. */
  deliverAllTo(peer: ClientId): void {
    void this.#run(peer);
  }

  /** A client answered a message of ours. @returns whether that was a change. */
  settle(peer: ClientId, id: MessageId): boolean {
    const sent = this.#sent.get(peer);
    for (const [name, change] of sent ?? []) {
      if (change.id !== id) continue;
      sent?.delete(name);
      this.#deps.messages.update(change.key, (message) =>
        withoutUnsent(message, this.#deps.selfId, peer, change),
      );
      return true;
    }
    return false;
  }

  /** The connection to a client has ended: what it has not acknowledged is sent again on the next one. */
  endFor(peer: ClientId): void {
    this.#sent.delete(peer);
  }

  #recipientsOf({ conversation, deliveries }: ChatMessage, kind: ChangeKind): readonly ClientId[] {
    if (conversation !== everyone && isRoomConversation(conversation))
      throw new WarrenError("no-session", { id: conversation });
    if (kind !== "react") return Object.keys(deliveries);
    if (conversation !== everyone) return [conversation];
    return this.#deps.room.isNearby ? [] : this.#deps.room.readyPeers();
  }

  /** Whether a change of a message may be delivered to a client where we are: one to everyone in a room only there. */
  #isFor(peer: ClientId, { conversation }: ChatMessage): boolean {
    const { room, isRemoved } = this.#deps;
    return conversation === everyone ? !room.isNearby && !isRemoved(peer) : !isRoomConversation(conversation);
  }

  async #run(peer: ClientId): Promise<void> {
    const { room, messages } = this.#deps;
    if (this.#running.has(peer) || !messages.store.getState().loaded) return;
    this.#running.add(peer);
    try {
      for (let next = this.#next(peer); next !== null; next = this.#next(peer)) {
        const { name, sent, wire } = next;
        const onConnection = this.#sent.get(peer) ?? new Map<string, Sent>();
        this.#sent.set(peer, onConnection.set(name, sent));
        await room.sendInTurn(peer, wire);
      }
    } catch {
      // The connection has ended: it waits for the next.
      this.#sent.delete(peer);
    } finally {
      this.#running.delete(peer);
    }
  }

  /** The next change that a client has to be sent; null if there is none, or the client cannot be sent any. */
  #next(
    peer: ClientId,
  ): { readonly name: string; readonly sent: Sent; readonly wire: OutgoingMessage } | null {
    const { room, messages, selfId } = this.#deps;
    if (!room.isReachable(peer) || !canRead("edit-text", room.peer(peer)?.profile)) return null;
    const onConnection = this.#sent.get(peer);
    for (const message of messages.all()) {
      const kinds = message.unsentChanges?.[peer];
      // A change of a message follows the message.
      if (kinds === undefined || !this.#isFor(peer, message) || isPending(message.deliveries[peer])) continue;
      for (const kind of kinds) {
        const change = unsentChange(message, selfId, kind);
        const name = `${kind}/${message.key}`;
        if (change === null || onConnection?.get(name)?.at === change.at) continue;
        const sent = { id: randomUuid(), key: message.key, kind, at: change.at };
        return { name, sent, wire: toWire(message.key, change, sent.id) };
      }
    }
    return null;
  }
}

function toWire(key: MessageKey, change: MessageChange, id: MessageId): OutgoingMessage {
  const name = messageNameOf(key);
  const head = { id, createdAt: change.at };
  switch (change.kind) {
    case "edit":
      return { ...head, type: "edit-text", text: name.id, data: change.data };
    case "delete":
      return { ...head, type: "delete-text", text: name.id };
    case "react":
      return { ...head, type: "react", message: name, emoji: [...change.emoji] };
  }
}
