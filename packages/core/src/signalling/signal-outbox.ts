import { type ClientFrame, type ClientId, type Rate, TokenBucket } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { signalsKeptMs } from "./seat-policy.ts";

type SignalFrame = Extract<ClientFrame, { type: "signal" }>;

/** How many frames wait for one member; a whole attempt has some 30. */
const framesPerMember = 64;
const framesInAll = 512;
/** How fast it is forgotten what a member was sent. */
const share: Rate = { burst: 64, perSecond: 1 };

interface Mail {
  /** The fewer tokens it has, the more the member was sent lately. */
  readonly share: TokenBucket;
  readonly waiting: { readonly frame: SignalFrame; readonly at: number }[];
}

/**
 * Signals that wait for the server: while it is unavailable, and while its limit of frames is reached. The member that was
 * sent the least lately goes first, so that none can delay what others are sent by provoking many answers.
 *
 * They are kept briefly instead of dropped: a lost answer costs both sides a whole attempt to connect, and most outages are
 * shorter than an attempt.
 */
export class SignalOutbox {
  readonly #mails = new Map<ClientId, Mail>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Queues a frame. When too many wait, the oldest is dropped of the member for which the most do. */
  add(frame: SignalFrame): void {
    const { waiting } = this.#mailTo(frame.to);
    waiting.push({ frame, at: this.#clock.elapsedMs() });
    if (waiting.length > framesPerMember) waiting.shift();
    const mails = [...this.#mails.values()];
    if (mails.reduce((sum, mail) => sum + mail.waiting.length, 0) > framesInAll)
      mails.reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one)).waiting.shift();
  }

  /**
   * Takes the frame that is sent next; those to one member keep their order.
   * @param to the only member that may be sent to, if there is a restriction.
   */
  next(to?: ClientId): SignalFrame | null {
    const oldest = this.#clock.elapsedMs() - signalsKeptMs;
    let first: Mail | null = null;
    for (const [clientId, mail] of this.#mails) {
      while (mail.waiting[0] !== undefined && mail.waiting[0].at < oldest) mail.waiting.shift();
      if (mail.waiting.length === 0 || (to !== undefined && to !== clientId)) continue;
      if (first === null || mail.share.left > first.share.left) first = mail;
    }
    first?.share.take();
    return first?.waiting.shift()?.frame ?? null;
  }

  /** Drops the frames to a member that left. */
  forget(clientId: ClientId): void {
    this.#mails.get(clientId)?.waiting.splice(0);
  }

  #mailTo(clientId: ClientId): Mail {
    const known = this.#mails.get(clientId);
    if (known !== undefined) return known;
    for (const [id, mail] of this.#mails)
      if (mail.waiting.length === 0 && mail.share.isFull) this.#mails.delete(id);
    const mail = { share: new TokenBucket(share, this.#clock), waiting: [] };
    this.#mails.set(clientId, mail);
    return mail;
  }
}
