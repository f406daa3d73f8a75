import { randomBytes } from "@noble/hashes/utils.js";
import { type SealedSignal, type SealedSignalOf, toWarrenError, WarrenError } from "@warren/protocol";
import { encodeBase64url } from "../handshake/encoding.ts";
import type { GuessBudget, PasswordTest } from "../handshake/guess-budget.ts";
import type { HandshakeOptions } from "../handshake/handshake.ts";
import { createInitiator, type Initiator } from "../handshake/initiator.ts";
import { createResponder } from "../handshake/responder.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { SealedSignalLink } from "./sealed-signal-link.ts";
import type { SignalLinks } from "./signal-link.ts";

/** How many frames of a run wait for it to be taken up. */
const waitingLimit = 256;

/** What sealed links to one client need. */
export interface SealedLinksDeps {
  readonly sender: SignalSender;
  /** What a run needs to know; may take a while the first time, because deriving from a password is slow. */
  readonly handshake: () => Promise<HandshakeOptions>;
  readonly budget: GuessBudget;
  /** Rejects when a run may not go as far as testing a password; may take as long as a person does. */
  readonly permission: () => Promise<void>;
}

/** A run of the other side that nobody has taken up. */
interface Invitation {
  readonly first: SealedSignalOf<"hs1">;
  readonly further: SealedSignal[];
}

/** A run of our own whose message 3 has left. */
interface Shown {
  readonly link: SealedSignalLink;
  readonly initiator: Initiator;
  readonly fingerprint: Uint8Array;
  readonly test: PasswordTest;
}

/**
 * Links whose every signal is sealed by a handshake of its own: no offer, answer or candidate leaves before the other
 * side has shown that it knows the room's password (docs/security.md).
 */
export class SealedSignalLinks implements SignalLinks {
  readonly #deps: SealedLinksDeps;
  readonly #stopListening: () => void;
  #link: SealedSignalLink | null = null;
  #invitation: Invitation | null = null;
  /** Until it is answered, also when another run has taken its place: the answer tells that it was no guess. */
  #shown: Shown | null = null;
  #onInvite: (() => void) | null = null;

  constructor(deps: SealedLinksDeps) {
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
    // Also when another run has taken its place meanwhile: what stays unanswered counts as a guess over there.
    this.#deps.sender.sendSignal({ ...message, run });
    link.establish(established, options.fingerprint);
  }

  decline(): void {
    this.#invitation = null;
  }

  onInvite(callback: () => void): void {
    this.#onInvite = callback;
    if (this.#invitation !== null) callback();
  }

  close(): void {
    this.#stopListening();
    this.#link?.close();
    this.#link = null;
    this.#dropShown();
    this.#invitation = null;
    this.#onInvite = null;
    this.#deps.sender.close();
  }

  #replaceLink(run: string): SealedSignalLink {
    this.#link?.close();
    this.#link = new SealedSignalLink(run, (frame) => this.#deps.sender.sendSignal(frame));
    return this.#link;
  }

  async #options(): Promise<HandshakeOptions> {
    await this.#deps.permission();
    return this.#deps.handshake();
  }

  /**
   * Does what a password can be tested on, as soon as that is permitted: others may have failed, or be under way, since
   * the run was. A run that is closed before has shown nothing, and so has used up nothing.
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
      this.#onInvite?.();
    } else if (frame.run === this.#invitation?.first.run && this.#invitation.further.length < waitingLimit)
      this.#invitation.further.push(frame);
  }
}
