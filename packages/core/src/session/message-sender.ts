import { type MessageId, unreadMax, WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitting } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import type { MessageBudget } from "./message-budget.ts";

/** How long the peer may read nothing while frames wait for that. */
const readTimeoutMs = 60_000;
/** The most that waits for that: an honest peer reads faster than it makes us answer. */
const heldMax = 4_000;
/** When a full buffer is tried again if the browser does not report that it has emptied. */
const fullBufferMs = 1_000;

/** Begins the id of a question whether everything before it was read. */
const questionPrefix = "read-";

interface MessageSenderDeps {
  readonly channel: RTCDataChannel;
  readonly clock: Clock;
  /** What the peer reads at once, as far as we know. */
  readonly budget: MessageBudget;
  /** Makes the frame of a message that every client answers under the same id. */
  readonly question: (id: MessageId) => string;
}

/** A frame that is sent in turn. */
interface Turn {
  readonly frame: string;
  readonly resolve: () => void;
  readonly reject: (error: WarrenError) => void;
}

interface Amount {
  readonly frames: number;
  readonly characters: number;
}

type MessageSenderEvents = {
  /** Frames wait for a peer that does not read. */
  stalled: [];
};

/**
 * Sends frames on a channel as the receiver's documented limits allow. No more than {@link unreadMax} is ever unread: the
 * peer has to answer a question first, which it reads after all before it. So its queue cannot overflow, however long the
 * network or its page holds frames back and lets them all go at once. Frames in turn also wait for its budget, so that it
 * reads them on arrival and the others, answers among them, never wait behind many large ones.
 */
export class MessageSender extends Emitting<MessageSenderEvents> {
  readonly #deps: MessageSenderDeps;
  readonly #listening = new AbortController();
  /** Frames that wait for the peer to read earlier ones. */
  readonly #held: string[] = [];
  readonly #turns: Turn[] = [];
  /** The frame in turn that is in the buffer. */
  #leaving: Turn | null = null;
  #unread: Amount = { frames: 0, characters: 0 };
  /** The question the peer has yet to answer, and what it will have read then. */
  #asked: (Amount & { readonly id: MessageId }) | null = null;
  readonly #nextTry: Countdown;
  readonly #stall: Countdown;

  constructor(deps: MessageSenderDeps) {
    super();
    this.#deps = deps;
    this.#nextTry = new Countdown(deps.clock);
    this.#stall = new Countdown(deps.clock);
    const { signal } = this.#listening;
    deps.channel.addEventListener("bufferedamountlow", () => this.#advance(), { signal });
  }

  /** Sends a frame as soon as the peer has read enough of the earlier ones. */
  send(frame: string): void {
    this.#held.push(frame);
    this.#advance();
    if (this.#held.length > heldMax) this.emit("stalled");
  }

  /** Sends a frame before all that wait. The peer must not be able to cause many that are unread. */
  sendNow(frame: string): void {
    if (!this.#put(frame)) this.#held.unshift(frame);
    this.#advance();
  }

  /**
   * Sends a frame once the peer can read it at once. Resolves when its bytes have left; rejects with `channel-not-open` if
   * the channel closes first.
   */
  sendInTurn(frame: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#turns.push({ frame, resolve, reject });
      this.#advance();
    });
  }

  /** @returns whether a message with this id answers our question. */
  takeAnswer(id: MessageId): boolean {
    if (this.#asked?.id !== id) return false;
    const { frames, characters } = this.#asked;
    this.#asked = null;
    this.#unread = {
      frames: this.#unread.frames - frames,
      characters: this.#unread.characters - characters,
    };
    this.#stall.stop();
    this.#advance();
    return true;
  }

  close(): void {
    this.#listening.abort();
    this.#nextTry.stop();
    this.#stall.stop();
    this.#held.length = 0;
    const turns = [...(this.#leaving === null ? [] : [this.#leaving]), ...this.#turns.splice(0)];
    this.#leaving = null;
    for (const { reject } of turns) reject(new WarrenError("channel-not-open"));
  }

  /** Sends all that may leave now. */
  #advance(): void {
    if (this.#listening.signal.aborted) return;
    this.#sendHeld();
    this.#sendTurns();
    this.#ask();
    const next = this.#held[0] ?? this.#turns[0]?.frame;
    if (next === undefined || this.#hasCredit(next)) this.#stall.stop();
    else if (!this.#stall.isRunning) this.#stall.start(readTimeoutMs, () => this.emit("stalled"));
  }

  #sendHeld(): void {
    for (let frame = this.#held[0]; frame !== undefined; frame = this.#held[0]) {
      if (!this.#hasCredit(frame) || !this.#put(frame)) return;
      this.#held.shift();
    }
  }

  #sendTurns(): void {
    for (;;) {
      if (this.#deps.channel.bufferedAmount > 0) return;
      this.#leaving?.resolve();
      this.#leaving = null;
      const turn = this.#turns[0];
      if (turn === undefined || this.#held.length > 0 || !this.#hasCredit(turn.frame)) return;
      const waitMs = this.#deps.budget.waitMs(turn.frame.length);
      if (waitMs > 0) {
        this.#nextTry.start(waitMs, () => this.#advance());
        return;
      }
      if (!this.#put(turn.frame)) return;
      this.#turns.shift();
      this.#leaving = turn;
    }
  }

  /**
   * Asks for new credit once half of it is used, or while a turn waits for the buffer to empty: Chromium shows that what
   * is sent in the task of a `datachannel` event has left only when the next frame is sent.
   */
  #ask(): void {
    const { frames, characters } = this.#unread;
    const isHalfUsed = 2 * frames >= unreadMax.frames || 2 * characters >= unreadMax.characters;
    const isWaiting = this.#turns.length > 0 && this.#deps.channel.bufferedAmount > 0;
    if (!(isHalfUsed || isWaiting) || this.#asked !== null) return;
    const id = `${questionPrefix}${randomUuid()}`;
    if (this.#put(this.#deps.question(id))) this.#asked = { id, ...this.#unread };
  }

  #hasCredit({ length }: string): boolean {
    const { frames, characters } = this.#unread;
    return frames < unreadMax.frames && characters + length <= unreadMax.characters;
  }

  /** @returns false if the browser's buffer is full. */
  #put(frame: string): boolean {
    try {
      this.#deps.channel.send(frame);
    } catch {
      // Nothing was sent. If the channel has just closed, its event follows.
      this.#nextTry.start(fullBufferMs, () => this.#advance());
      return false;
    }
    this.#deps.budget.spend(frame.length);
    this.#unread = {
      frames: this.#unread.frames + 1,
      characters: this.#unread.characters + frame.length,
    };
    return true;
  }
}

/** Whether an id is that of a question of the other side. */
export function isQuestion(id: MessageId): boolean {
  return id.startsWith(questionPrefix);
}
