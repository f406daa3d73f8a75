import { randomBytes } from "@noble/hashes/utils.js";
import { type SealedSignal, type SealedSignalOf, toWarrenError, WarrenError } from "@warren/protocol";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import type { GuessBudget, PasswordTest } from "../handshake/guess-budget.ts";
import type { HandshakeDeps } from "../handshake/handshake.ts";
import { createInitiator, type Initiator } from "../handshake/initiator.ts";
import { createResponder } from "../handshake/responder.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { Emitting } from "../shared/emitter.ts";
import type { SignalLinks, SignalLinksEvents } from "../signalling/signal-link.ts";
import { SealedSignalLink } from "./sealed-signal-link.ts";

/** How many frames of an unaccepted run are queued. */
const waitingLimit = 256;

export interface SealedLinksDeps {
  readonly sender: SignalSender;
  /** The inputs of a run; slow the first time, because they are derived from a password. */
  readonly handshake: () => Promise<HandshakeDeps>;
  readonly budget: GuessBudget;
  /** Rejects if a run must not proceed to testing a password; may wait for a person. */
  readonly permission: () => Promise<void>;
}

/** A run started by the peer that has not been accepted yet. */
interface Invitation {
  readonly first: SealedSignalOf<"hs1">;
  readonly further: SealedSignal[];
}

/** A run of our own whose message 3 was sent. */
interface Shown {
  readonly link: SealedSignalLink;
  readonly initiator: Initiator;
  readonly fingerprint: Uint8Array;
  readonly test: PasswordTest;
}

/**
 * Links that seal every signal with a handshake of their own: no offer, answer or candidate is sent before the peer
 * has proven that it knows the room's password (docs/security.md).
 */
export class SealedSignalLinks extends Emitting<SignalLinksEvents> implements SignalLinks {
  readonly #deps: SealedLinksDeps;
  readonly #stopListening: () => void;
  #link: SealedSignalLink | null = null;
  #invitation: Invitation | null = null;
  /** Kept until it is answered, even after another run replaced it: the answer shows that it was no guess. */
  #shown: Shown | null = null;

  constructor(deps: SealedLinksDeps) {
    super();
    this.#deps = deps;
    this.#stopListening = deps.sender.listenForSignal((frame) => this.#receive(frame));
  }

  /** The link fails with `handshake-failed` and its reason. */
  start(): SealedSignalLink {
    this.#invitation = null;
    const link = this.#replaceLink(encodeBase64url(randomBytes(16)));
    link.open(this.#initiate(link));
    return link;
  }

  async #initiate(link: SealedSignalLink): Promise<void> {
    const options = await this.#options();
    const { run } = link;
    const initiator = createInitiator(options);
    link.sendStep({ ...initiator.start(), run });
    const { message, offerSealer } = await initiator.onMessage2(await link.step("hs2"));
    await this.#whenPermitted(link, (test) => {
      this.#dropShown();
      this.#shown = { link, initiator, fingerprint: options.fingerprint, test };
      link.sendStep({ ...message, run });
      link.allowOffer(offerSealer);
    });
  }

  /** The link fails with `incorrect-password`, or `handshake-failed` and its reason. */
  accept(): SealedSignalLink {
    const invitation = this.#invitation;
    this.#invitation = null;
    const link = this.#replaceLink(invitation?.first.run ?? "");
    link.open(this.#respond(link, invitation));
    return link;
  }

  async #respond(link: SealedSignalLink, invitation: Invitation | null): Promise<void> {
    if (invitation === null) throw new WarrenError("handshake-failed", { reason: "no invitation" });
    const { run } = link;
    for (const frame of invitation.further) link.receive(frame);
    const options = await this.#options();
    const responder = createResponder(options);
    link.sendStep({ ...responder.onMessage1(invitation.first), run });
    const step = await link.step("hs3");
    const { message, established } = await this.#whenPermitted(link, async (test) => {
      const answer = await responder.onMessage3(step).catch((thrown: unknown) => {
        test.fail();
        throw thrown;
      });
      test.succeed();
      return answer;
    });
    // Sent even if another run has replaced it meanwhile: an unanswered run counts as a guess on the other side.
    this.#deps.sender.sendSignal({ ...message, run });
    link.establish(established, options.fingerprint);
  }

  decline(): void {
    this.#invitation = null;
  }

  get isInvited(): boolean {
    return this.#invitation !== null;
  }

  close(): void {
    this.#stopListening();
    this.#link?.close();
    this.#link = null;
    this.#dropShown();
    this.#invitation = null;
    this.clear();
    this.#deps.sender.close();
  }

  #replaceLink(run: string): SealedSignalLink {
    this.#link?.close();
    this.#link = new SealedSignalLink(run, (frame) => this.#deps.sender.sendSignal(frame));
    return this.#link;
  }

  async #options(): Promise<HandshakeDeps> {
    await this.#deps.permission();
    return this.#deps.handshake();
  }

  /**
   * Runs `show`, which exposes data to test a password on, as soon as that is permitted: other runs may have failed or
   * started since this one did. A run closed before that has exposed nothing and uses up nothing.
   */
  async #whenPermitted<T>(link: SealedSignalLink, show: (test: PasswordTest) => T | Promise<T>): Promise<T> {
    const { budget, sender, permission } = this.#deps;
    for (;;) {
      if (link.isClosed) throw new WarrenError("connection-closed");
      const test = budget.begin(sender.targetId);
      if (test !== null) return show(test);
      await permission();
    }
  }

  async #takeAnswer(
    { link, initiator, fingerprint, test }: Shown,
    answer: SealedSignalOf<"hs4">,
  ): Promise<void> {
    this.#shown = null;
    try {
      const established = await initiator.onMessage4(answer);
      test.succeed();
      link.establish(established, fingerprint);
    } catch (thrown) {
      test.fail();
      link.fail(toWarrenError(thrown, "handshake-failed", { reason: "decode" }));
    }
  }

  #dropShown(): void {
    this.#shown?.test.fail();
    this.#shown = null;
  }

  #receive(frame: SealedSignal): void {
    const shown = this.#shown;
    if (frame.type === "hs4" && frame.run === shown?.link.run) void this.#takeAnswer(shown, frame);
    else if (frame.run === this.#link?.run) this.#link.receive(frame);
    else if (frame.type === "hs1") {
      this.#invitation = { first: frame, further: [] };
      this.emit("invite");
    } else if (frame.run === this.#invitation?.first.run && this.#invitation.further.length < waitingLimit)
      this.#invitation.further.push(frame);
  }
}
