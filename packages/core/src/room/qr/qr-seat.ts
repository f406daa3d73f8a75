import {
  type ClientId,
  decodeFrame,
  defaultFrameRate,
  encodeFrame,
  limits,
  type RoomMember,
  sealedSignalSchema,
  TokenBucket,
  unionBy,
  v,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../../ports/clock.ts";
import type { SignallingClient, SignallingClientStatus, SignalSender } from "../../ports/signalling.ts";
import { Emitter } from "../../shared/emitter.ts";
import { MemberRoster } from "../../signalling/member-roster.ts";
import { SignalSenders } from "../../signalling/signal-senders.ts";

/** What the two pages send each other on their channel. */
const messageSchema = unionBy("type", [
  /** The page took its seat, `again` if it had one; `isAnswer` to that of the other. */
  v.object({ type: v.literal("enter"), again: v.boolean(), isAnswer: v.boolean() }),
  v.object({ type: v.literal("signal"), signal: sealedSignalSchema }),
]);
type Message = v.InferOutput<typeof messageSchema>;

interface QrSeatDeps {
  readonly self: RoomMember;
  readonly channel: RTCDataChannel;
  readonly clock: Clock;
  /** Whether this page had a seat before. */
  readonly isAgain: boolean;
  /** The id in the other page's code. */
  readonly otherId: () => ClientId | null;
  /** Ends the connection. */
  readonly end: () => void;
}

/** One of the two seats of a room in which pages meet by code. The other page's is taken once it says so. */
export class QrSeat implements SignallingClient {
  readonly relays: readonly RTCIceServer[] = [];
  readonly self: RoomMember;
  readonly #deps: QrSeatDeps;
  readonly #roster = new MemberRoster();
  readonly #senders: SignalSenders;
  readonly #statuses = new Emitter<{ status: [SignallingClientStatus] }>();
  readonly #listening = new AbortController();
  readonly #frames: TokenBucket;
  #isMet = false;
  #status: SignallingClientStatus = { status: "online" };

  constructor(deps: QrSeatDeps) {
    this.self = deps.self;
    this.#deps = deps;
    this.#frames = new TokenBucket(defaultFrameRate, deps.clock);
    this.#senders = new SignalSenders((_to, signal) => this.#send({ type: "signal", signal }));
    const { channel, isAgain } = deps;
    const { signal } = this.#listening;
    const enter = () => this.#send({ type: "enter", again: isAgain, isAnswer: false });
    channel.addEventListener("message", ({ data }) => this.#receive(data), { signal });
    channel.addEventListener("close", () => this.#lost(), { signal });
    if (channel.readyState === "open") enter();
    else channel.addEventListener("open", enter, { signal });
  }

  /** Resolves once the other page has its seat. Rejects with `signalling-unreachable`. */
  met(withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.clock.after(withinMs, () => {
        stop();
        reject(new WarrenError("signalling-unreachable"));
      });
      const stop = this.#roster.listenForJoin(() => {
        cancel();
        // The listener may be called before it is known how to stop it.
        queueMicrotask(() => stop());
        resolve();
      });
    });
  }

  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): () => void {
    return this.#roster.listenForJoin(callback);
  }

  listenForLeave(callback: (clientId: ClientId) => void): () => void {
    return this.#roster.listenForLeave(callback);
  }

  listenForStatus(callback: (status: SignallingClientStatus) => void): () => void {
    callback(this.#status);
    return this.#statuses.on("status", callback);
  }

  createSender(targetId: ClientId): SignalSender {
    return this.#senders.create(targetId);
  }

  destroy(): void {
    this.#silence();
    this.#deps.end();
  }

  vanish(): void {
    this.destroy();
  }

  /** A newer seat of this page takes the place of this one. */
  replaced(): void {
    this.#listening.abort();
    this.#setStatus({ status: "closed", error: new WarrenError("signalling-replaced") });
    this.#silence();
  }

  #receive(data: unknown): void {
    const decoded = decodeFrame(messageSchema, data, limits.signallingFrameBytes);
    const from = this.#deps.otherId();
    // What breaks the rules is lost like any signal.
    if (!decoded.ok || from === null || !this.#frames.take()) return;
    const message = decoded.value;
    if (message.type === "signal") this.#senders.deliver(from, message.signal);
    else {
      const isNew = !this.#isMet;
      this.#isMet = true;
      if (isNew || message.again)
        this.#roster.add({ clientId: from, order: 1 - this.self.order }, message.again);
      if (!message.isAnswer) this.#send({ type: "enter", again: false, isAnswer: true });
    }
  }

  #send(message: Message): void {
    const { channel } = this.#deps;
    if (channel.readyState === "open" && !this.#listening.signal.aborted)
      channel.send(encodeFrame(message, limits.signallingFrameBytes));
  }

  #lost(): void {
    const other = this.#deps.otherId();
    if (other !== null) {
      this.#senders.forget(other);
      this.#roster.remove(other);
    }
    this.#setStatus({ status: "closed", error: new WarrenError("code-connection-lost") });
  }

  #setStatus(status: SignallingClientStatus): void {
    if (this.#status.status === "closed") return;
    this.#status = status;
    this.#statuses.emit("status", status);
  }

  #silence(): void {
    this.#listening.abort();
    this.#statuses.clear();
    this.#roster.clear();
    this.#senders.close();
  }
}
