import {
  decodeValue,
  type SealedSignal,
  type SealedSignalOf,
  type Signal,
  signalSchema,
  WarrenError,
} from "@warren/protocol";
import { decodeBase64url, encodeBase64url, utf8 } from "../handshake/crypto/encoding.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { Emitting } from "../shared/emitter.ts";
import type {
  SignalLink,
  SignalLinkEvents,
  SignalLinks,
  SignalLinksEvents,
} from "../signalling/signal-link.ts";

type Box = SealedSignalOf<"box">;

/**
 * Links without a handshake and with unencrypted boxes: for tests of sessions over connections that cannot tell
 * their certificate beforehand. A run is one attempt to connect.
 */
export class OpenSignalLinks extends Emitting<SignalLinksEvents> implements SignalLinks {
  readonly #sender: SignalSender;
  readonly #stopListening: () => void;
  #link: OpenSignalLink | null = null;
  #invitation: Box[] = [];

  constructor(sender: SignalSender) {
    super();
    this.#sender = sender;
    this.#stopListening = sender.listenForSignal((frame) => this.#receive(frame));
  }

  start(): SignalLink {
    this.#invitation = [];
    return this.#open(encodeBase64url(crypto.getRandomValues(new Uint8Array(16))));
  }

  accept(): SignalLink {
    const invitation = this.#invitation.splice(0);
    const run = invitation[0]?.run;
    if (run === undefined) throw new WarrenError("handshake-failed", { reason: "no invitation" });
    const link = this.#open(run);
    for (const box of invitation) link.receive(box);
    return link;
  }

  decline(): void {
    this.#invitation = [];
  }

  get isInvited(): boolean {
    return this.#invitation.length > 0;
  }

  close(): void {
    this.#stopListening();
    this.#link?.close();
    this.#link = null;
    this.#invitation = [];
    this.clear();
    this.#sender.close();
  }

  #open(run: string): OpenSignalLink {
    this.#link?.close();
    this.#link = new OpenSignalLink(run, (frame) => this.#sender.sendSignal(frame));
    return this.#link;
  }

  #receive(frame: SealedSignal): void {
    if (frame.type !== "box") return;
    if (frame.run === this.#link?.run) this.#link.receive(frame);
    else if (frame.run === this.#invitation[0]?.run) this.#invitation.push(frame);
    else if (frame.kind === "offer") {
      this.#invitation = [frame];
      this.emit("invite");
    }
  }
}

class OpenSignalLink extends Emitting<SignalLinkEvents> implements SignalLink {
  readonly run: string;
  readonly binding = null;
  readonly #waiting: Signal[] = [];
  #send: ((frame: SealedSignal) => void) | null;
  #isStarted = false;
  #seq = 0;

  constructor(run: string, send: (frame: SealedSignal) => void) {
    super();
    this.run = run;
    this.#send = send;
  }

  send({ type, data }: Signal): void {
    const box = encodeBase64url(utf8(JSON.stringify(data)));
    this.#send?.({ type: "box", run: this.run, seq: this.#seq++, kind: type, box });
  }

  start(): void {
    this.#isStarted = true;
    for (const signal of this.#waiting.splice(0)) this.emit("signal", signal);
  }

  receive({ kind, box }: Box): void {
    const text = new TextDecoder().decode(decodeBase64url(box) ?? new Uint8Array());
    const decoded = decodeValue(signalSchema, { type: kind, data: JSON.parse(text) });
    if (!decoded.ok) throw decoded.error;
    if (this.#isStarted) this.emit("signal", decoded.value);
    else this.#waiting.push(decoded.value);
  }

  close(): void {
    this.#send = null;
    this.clear();
    this.#waiting.length = 0;
  }
}
