import type { Signal, WarrenError } from "@warren/protocol";
import { requireFingerprint } from "../../handshake/fingerprint.ts";
import { candidatesPerGeneration } from "../candidate-filter.ts";
import type { SignalLink } from "../signal-link.ts";

/** What a lane's link needs. */
export interface LaneLinkOptions {
  /** The certificate the session's handshake bound the other side to; null on a session without one. */
  readonly remoteFingerprint: Uint8Array | null;
  /** Puts a signal on the session's message channel. */
  readonly send: (signal: Signal) => void;
  /** The other side said what no honest one says. */
  readonly onViolation: (issue: string) => void;
}

/** Carries the signals of one lane over the session: one description of each side, and its candidates. */
export class LaneLink implements SignalLink {
  /** The session has proven itself, and vouches for its lanes. */
  readonly binding = null;
  readonly #options: LaneLinkOptions;
  readonly #waiting: Signal[] = [];
  #listener: ((signal: Signal) => void) | null = null;
  #described = false;
  #candidates = 0;

  constructor(options: LaneLinkOptions) {
    this.#options = options;
  }

  send(signal: Signal): void {
    this.#options.send(signal);
  }

  listen(onSignal: (signal: Signal) => void, _onFailure: (error: WarrenError) => void): void {
    this.#listener = onSignal;
    for (const signal of this.#waiting.splice(0)) onSignal(signal);
  }

  /** Takes a signal of the other side. */
  receive(signal: Signal): void {
    if (signal.type === "candidate" && ++this.#candidates > candidatesPerGeneration) return;
    const issue = this.#issueOf(signal);
    if (issue !== null) this.#options.onViolation(issue);
    else if (this.#listener === null) this.#waiting.push(signal);
    else this.#listener(signal);
  }

  close(): void {
    this.#listener = null;
    this.#waiting.length = 0;
  }

  #issueOf(signal: Signal): string | null {
    if (signal.type === "candidate") return null;
    if (this.#described) return "lane described twice";
    this.#described = true;
    const { sdp } = signal.data;
    if (/^m=(?!application )/m.test(sdp)) return "lane with media";
    const { remoteFingerprint } = this.#options;
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
