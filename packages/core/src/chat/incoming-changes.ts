import { type ClientId, type PeerMessageOf, TokenBucket } from "@warren/protocol";
import { type ChatMessage, everyone, type MessageKey, messageKeyOf } from "../messages/message.ts";
import { type MessageChange, withChange } from "../messages/message-changes.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Trust } from "../messages/trust.ts";
import type { Clock } from "../ports/clock.ts";

/** How many changes of one client are stored: each is a write. Honest ones above are sent again on the next connection. */
const changeRate = { burst: 300, perSecond: 10 } as const;
/** Reactions to messages that have not arrived, of all clients together; the earliest go. */
const earlyMax = 500;

type WireChange = PeerMessageOf<"edit-text" | "delete-text" | "react">;

interface IncomingChangesDeps {
  readonly messages: MessageLog;
  readonly trust: Pick<Trust, "isStranger">;
  readonly clock: Clock;
  readonly acknowledge: (to: ClientId, message: WireChange) => void;
  /** Whether we meet pages nearby, among whom there is no conversation of everyone. */
  readonly isNearby: () => boolean;
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
  readonly #rates = new Map<ClientId, TokenBucket>();
  readonly #early: EarlyReaction[] = [];

  constructor(deps: IncomingChangesDeps) {
    this.#deps = deps;
  }

  /** @throws WarrenError `history-full`, `storage-failed`. */
  async receive(from: ClientId, wire: WireChange): Promise<void> {
    const { messages, trust, acknowledge } = this.#deps;
    // Neither is acknowledged: it is sent again when the two next meet.
    if (trust.isStranger(from) || !this.#rateOf(from).take()) return;
    const change = changeOf(wire);
    const key =
      wire.type === "react"
        ? messageKeyOf(wire.message.client, wire.message.id)
        : messageKeyOf(from, wire.text);
    const isHere = await messages.change(key, (message) => this.#applied(message, from, change));
    if (!isHere && change.kind === "react") {
      this.#early.push({ key, by: from, change });
      if (this.#early.length > earlyMax) this.#early.shift();
    }
    await messages.stored(key);
    acknowledge(from, wire);
  }

  /** A message has arrived: applies the reactions to it that were faster. */
  async arrived(key: MessageKey): Promise<void> {
    const early = this.#early.filter((reaction) => reaction.key === key);
    if (early.length === 0) return;
    for (const reaction of early) this.#early.splice(this.#early.indexOf(reaction), 1);
    await this.#deps.messages.change(key, (message) =>
      early.reduce((changed, { by, change }) => this.#applied(changed, by, change), message),
    );
  }

  #applied(message: ChatMessage, by: ClientId, change: MessageChange): ChatMessage {
    const { conversation } = message;
    // A reaction counts where the one who reacts takes part.
    const takesPart = conversation === by || (conversation === everyone && !this.#deps.isNearby());
    return change.kind !== "react" || takesPart ? withChange(message, by, change) : message;
  }

  #rateOf(client: ClientId): TokenBucket {
    const known = this.#rates.get(client);
    if (known !== undefined) return known;
    for (const [id, rate] of this.#rates) if (rate.isFull) this.#rates.delete(id);
    const rate = new TokenBucket(changeRate, this.#deps.clock);
    this.#rates.set(client, rate);
    return rate;
  }
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
