import { type ClientId, canRead, type PeerMessageOf, TokenBuckets } from "@warren/protocol";
import type { ChatRoom } from "../messages/chat-deps.ts";
import { type ConversationId, everyone } from "../messages/message.ts";
import type { Trust } from "../messages/trust.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";

/** How often we say that we write, and how long what others say holds. */
const sayEveryMs = 4_000;
const shownMs = 6_000;
/** In a room of more people nobody says it to all. */
const peopleMax = 16;
/** Faster ones of a client are ignored. */
const receivedRate = { burst: 4, perSecond: 0.5 } as const;

/** Who is writing in each conversation. */
export type TypingState = Readonly<Partial<Record<ConversationId, readonly ClientId[]>>>;

interface TypingDeps {
  readonly room: ChatRoom;
  readonly trust: Pick<Trust, "isStranger">;
  /** Whether a client neither tells us nor is told what is said to everyone in the room we are in. */
  readonly isRemoved: (client: ClientId) => boolean;
  readonly clock: Clock;
}

/** Says that we are writing, and knows who else is. Nothing of it is stored, acknowledged or repeated, and it ends by itself. */
export class Typing {
  readonly store: ReadableStore<TypingState>;
  readonly #store = createStore<TypingState>({});
  readonly #deps: TypingDeps;
  readonly #saidAtMs = new Map<ConversationId, number>();
  /** What ends each: it is shown until then. */
  readonly #ends = new Map<ClientId, Map<ConversationId, CancelTimer>>();
  readonly #rates: TokenBuckets;

  constructor(deps: TypingDeps) {
    this.#deps = deps;
    this.#rates = new TokenBuckets(deps.clock);
    this.store = this.#store;
  }

  /** We have written something in a draft. */
  say(conversation: ConversationId): void {
    const { room, clock } = this.#deps;
    const now = clock.elapsedMs();
    if (now - (this.#saidAtMs.get(conversation) ?? Number.NEGATIVE_INFINITY) < sayEveryMs) return;
    this.#saidAtMs.set(conversation, now);
    for (const peer of this.#audience(conversation)) {
      if (!room.isReachable(peer) || !canRead("typing", room.peer(peer)?.profile)) continue;
      try {
        room.send(peer, { type: "typing", ...(conversation === everyone ? { scope: "room" } : {}) });
      } catch {
        // It has just disconnected.
      }
    }
  }

  /** We have sent what we were writing: the next word is said at once. */
  sent(conversation: ConversationId): void {
    this.#saidAtMs.delete(conversation);
  }

  receive(from: ClientId, { scope }: PeerMessageOf<"typing">): void {
    const { room, trust, clock } = this.#deps;
    const isInRoom = scope === "room" && !room.isNearby;
    if (trust.isStranger(from) || !room.isReady(from) || !this.#rates.of(from, receivedRate).take()) return;
    if (isInRoom && !this.#audience(everyone).includes(from)) return;
    const conversation = isInRoom ? everyone : from;
    const ends = this.#ends.get(from) ?? new Map<ConversationId, CancelTimer>();
    ends.get(conversation)?.();
    ends.set(
      conversation,
      clock.after(shownMs, () => this.#end(from, conversation)),
    );
    this.#ends.set(from, ends);
    this.#show();
  }

  /** A text of a client has arrived in a conversation: it is not being written any more. */
  arrived(from: ClientId, conversation: ConversationId): void {
    this.#end(from, conversation);
  }

  /** A client cannot be reached any more. */
  endFor(client: ClientId): void {
    for (const cancel of this.#ends.get(client)?.values() ?? []) cancel();
    if (this.#ends.delete(client)) this.#show();
  }

  /** We are in another room: nobody writes to everyone in it yet. */
  enterRoom(): void {
    for (const client of [...this.#ends.keys()]) this.#end(client, everyone);
  }

  close(): void {
    for (const client of [...this.#ends.keys()]) this.endFor(client);
  }

  #audience(conversation: ConversationId): readonly ClientId[] {
    const { room, isRemoved } = this.#deps;
    if (conversation !== everyone) return [conversation];
    const peers = room.isNearby ? [] : room.readyPeers();
    return peers.length < peopleMax ? peers.filter((peer) => !isRemoved(peer)) : [];
  }

  #end(client: ClientId, conversation: ConversationId): void {
    const ends = this.#ends.get(client);
    const cancel = ends?.get(conversation);
    if (ends === undefined || cancel === undefined) return;
    cancel();
    ends.delete(conversation);
    if (ends.size === 0) this.#ends.delete(client);
    this.#show();
  }

  #show(): void {
    const people: Partial<Record<ConversationId, ClientId[]>> = {};
    for (const [client, ends] of this.#ends)
      for (const conversation of ends.keys())
        people[conversation] = [...(people[conversation] ?? []), client];
    this.#store.setState(people, true);
  }
}
