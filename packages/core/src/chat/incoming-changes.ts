import {
  type ClientId,
  type PeerMessageOf,
  type RoomTag,
  type TokenBucket,
  TokenBuckets,
} from "@warren/protocol";
import {
  type ChatMessage,
  everyone,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
} from "../messages/message.ts";
import { changeOfEntry, type MessageChange, withChange } from "../messages/message-changes.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Trust } from "../messages/trust.ts";
import type { Clock } from "../ports/clock.ts";
import type { StoredRecord } from "../ports/record-storage.ts";
import type { Entry } from "../room-log/entry.ts";

/** How many changes of one client are stored: each is a write. Honest ones above are sent again on the next connection. */
const changeRate = { burst: 300, perSecond: 10 } as const;
/** And of one of whom nothing was ever accepted. */
const strangerRate = { burst: 30, perSecond: 0.2 } as const;
/** Reactions to messages that have not arrived, of all clients together; the earliest go. */
const earlyMax = 500;

type WireChange = PeerMessageOf<"edit-text" | "delete-text" | "react">;

interface IncomingChangesDeps {
  readonly messages: MessageLog;
  readonly trust: Pick<Trust, "isStranger" | "isAccepted">;
  readonly clock: Clock;
  /** Ends what goes on about a message that its author deletes. */
  readonly endTransfers: (message: ChatMessage) => Promise<void>;
  /** A message was deleted by its author: nothing of it is to be left in the log of the room. */
  readonly erase: (message: ChatMessage) => void;
  readonly acknowledge: (to: ClientId, message: WireChange) => void;
  /** Whether we meet pages nearby, among whom there is no conversation of everyone. */
  readonly isNearby: () => boolean;
  /** Whether what a client says to everyone in the room we are in is not taken. */
  readonly isRemoved: (client: ClientId) => boolean;
}

/** A reaction to a message that has not arrived. */
interface EarlyReaction {
  readonly key: MessageKey;
  readonly by: ClientId;
  readonly change: MessageChange;
}

/**
 * Applies the changes that others make of messages. Who wrote a text is not in the message that edits or deletes it: it is the
 * sender, so nobody can name a text of somebody else.
 */
export class IncomingChanges {
  readonly #deps: IncomingChangesDeps;
  readonly #rates: TokenBuckets;
  readonly #early: EarlyReaction[] = [];

  constructor(deps: IncomingChangesDeps) {
    this.#deps = deps;
    this.#rates = new TokenBuckets(deps.clock);
  }

  /** @throws WarrenError `history-full`, `storage-failed`. */
  async receive(from: ClientId, wire: WireChange): Promise<void> {
    const { messages, trust, isRemoved, acknowledge } = this.#deps;
    // Neither is acknowledged: it is sent again when the two next meet.
    if (trust.isStranger(from) || !this.takes(from)) return;
    const change = changeOf(wire);
    const key =
      wire.type === "react"
        ? messageKeyOf(wire.message.client, wire.message.id)
        : messageKeyOf(from, wire.text);
    if (isRemoved(from) && (await messages.lookUp(key))?.conversation !== from) return;
    const isHere = await this.#apply(key, from, change, (message) => this.#takesPart(message, from));
    if (!isHere && change.kind === "react") {
      this.#early.push({ key, by: from, change });
      if (this.#early.length > earlyMax) this.#early.shift();
    }
    await messages.stored(key);
    acknowledge(from, wire);
  }

  /** Whether another edit or reaction of a client is applied now; one that is not has to wait. */
  takes(client: ClientId): boolean {
    return this.#rateOf(client).take();
  }

  /** A message has arrived: applies the reactions to it that were faster. */
  async arrived(key: MessageKey): Promise<void> {
    const early = this.#early.filter((reaction) => reaction.key === key);
    if (early.length === 0) return;
    for (const reaction of early) this.#early.splice(this.#early.indexOf(reaction), 1);
    for (const { by, change } of early)
      await this.#apply(key, by, change, (message) => this.#takesPart(message, by));
  }

  /** An entry of the log of a room has come that may be a change of a message of that room. @param put is stored with that */
  async receiveEntry(room: RoomTag, entry: Entry, put: readonly StoredRecord[]): Promise<void> {
    const change = changeOfEntry(entry);
    if (change === null || entry.about === undefined) return this.#deps.messages.write({ put: [...put] });
    const { client, id } = entry.about;
    const isOfRoom = ({ conversation }: ChatMessage) => this.#deps.messages.stableIdOf(conversation) === room;
    await this.#apply(messageKeyOf(client, id), entry.author, change, isOfRoom, put);
  }

  async #apply(
    key: MessageKey,
    by: ClientId,
    change: MessageChange,
    mayReact: (message: ChatMessage) => boolean,
    put: readonly StoredRecord[] = [],
  ): Promise<boolean> {
    const isAuthor = messageNameOf(key).client === by;
    if (isAuthor && change.kind === "delete") {
      const deleted = await this.#deps.messages.lookUp(key);
      if (deleted !== null) await this.#deps.endTransfers(deleted);
    }
    let before: ChatMessage | null = null;
    const isHere = await this.#deps.messages.change(
      key,
      (message) => {
        before = message;
        return change.kind !== "react" || mayReact(message) ? withChange(message, by, change) : message;
      },
      put,
    );
    // An edit may come after the deletion.
    if (before !== null && isAuthor && (change.kind === "delete" || isDeleted(before)))
      this.#deps.erase(before);
    return isHere;
  }

  #rateOf(client: ClientId): TokenBucket {
    const isAccepted = this.#deps.trust.isAccepted(client);
    return isAccepted
      ? this.#rates.of(client, changeRate)
      : this.#rates.of(`${client}/unaccepted`, strangerRate);
  }

  /** A reaction counts where the one who reacts takes part. */
  #takesPart({ conversation }: ChatMessage, by: ClientId): boolean {
    return conversation === by || (conversation === everyone && !this.#deps.isNearby());
  }
}

function isDeleted(message: ChatMessage): boolean {
  return message.type === "text" && message.deleted === true;
}

function changeOf(wire: WireChange): MessageChange {
  const at = wire.createdAt;
  switch (wire.type) {
    case "edit-text":
      return { kind: "edit", at, data: wire.data };
    case "delete-text":
      return { kind: "delete", at };
    case "react":
      return { kind: "react", at, emoji: [...new Set(wire.emoji)] };
  }
}
