import type { Signal } from "@warren/protocol";
import { requireFingerprint } from "../handshake/fingerprint.ts";
import { candidatesPerGeneration } from "../ice/candidate-filter.ts";
import { Emitting } from "../shared/emitter.ts";
import type { SignalLink, SignalLinkEvents } from "../signalling/signal-link.ts";

export interface LaneLinkDeps {
  /** The certificate that the session's handshake bound the peer to; null on a session without a handshake. */
  readonly remoteFingerprint: Uint8Array | null;
  /** Sends a signal on the session's message channel. */
  readonly send: (signal: Signal) => void;
}

type LaneLinkEvents = SignalLinkEvents & {
  /** The peer sent something that no honest client sends. */
  violation: [issue: string];
};

/** Carries the signals of one lane over the session: one description per side, and candidates. */
export class LaneLink extends Emitting<LaneLinkEvents> implements SignalLink {
  /** No binding needed: the session has proven itself, and vouches for its lanes. */
  readonly binding = null;
  readonly #deps: LaneLinkDeps;
  readonly #waiting: Signal[] = [];
  #isStarted = false;
  #described = false;
  #candidates = 0;

  constructor(deps: LaneLinkDeps) {
    super();
    this.#deps = deps;
  }

  send(signal: Signal): void {
    this.#deps.send(signal);
  }

  start(): void {
    this.#isStarted = true;
    for (const signal of this.#waiting.splice(0)) this.emit("signal", signal);
  }

  /** Handles a signal of the peer. */
  receive(signal: Signal): void {
    if (signal.type === "candidate" && ++this.#candidates > candidatesPerGeneration) return;
    const issue = this.#issueOf(signal);
    if (issue !== null) this.emit("violation", issue);
    else if (this.#isStarted) this.emit("signal", signal);
    else this.#waiting.push(signal);
  }

  close(): void {
    this.clear();
    this.#waiting.length = 0;
  }

  #issueOf(signal: Signal): string | null {
    if (signal.type === "candidate") return null;
    if (this.#described) return "lane described twice";
    this.#described = true;
    const { sdp } = signal.data;
    if (/^m=(?!application )/m.test(sdp)) return "lane with media";
    const { remoteFingerprint } = this.#deps;
    return remoteFingerprint === null || isOf(sdp, remoteFingerprint) ? null : "lane of another certificate";
  }
}

function isOf(sdp: string, fingerprint: Uint8Array): boolean {
  try {
    requireFingerprint(sdp, fingerprint);
    return true;
  } catch {
    return false;
  }
}
