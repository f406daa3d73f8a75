import type { Signal, WarrenError } from "@warren/protocol";
import type { PeerProof } from "./peer.ts";

/**
 * Shows that the connection which opened is the one its link negotiated. `remote` is the SHA-256 of the certificate the
 * other side shows, or null where the browser hides it. Both ways throw WarrenError `handshake-failed`.
 */
export interface ChannelBinding {
  readonly peer: PeerProof;
  /** SHA-256 of the certificate the other side is bound to on every connection. */
  readonly remoteFingerprint: Uint8Array;
  /** Our proof, base64url. */
  prove(remote: Uint8Array | null): string;
  /** Whether `proof` is the other side's. */
  verify(proof: string, remote: Uint8Array | null): boolean;
}

/** Carries the signals of one attempt to connect, and those of its renegotiations later. */
export interface SignalLink {
  /** @throws WarrenError `frame-too-large` for a description no server would relay. */
  send(signal: Signal): void;
  /** Calls back for each signal of the other side, first for those that came before; `onFailure` ends the link. */
  listen(onSignal: (signal: Signal) => void, onFailure: (error: WarrenError) => void): void;
  /** What the first frames of the message channel must show; null on a link without a handshake. */
  readonly binding: ChannelBinding | null;
  close(): void;
}

/**
 * The links to one other client, one for each attempt to connect. Either side may start an attempt; the other is
 * invited and accepts, or declines while it is busy with an attempt of its own that has precedence.
 * A link may take round trips of its own (an authenticated handshake) before it carries anything: what is sent waits in
 * it, and what ends it is the attempt's error. Opening the next link closes the one before.
 */
export interface SignalLinks {
  /** Opens the link of an attempt of our own. */
  start(): SignalLink;
  /** Opens the link of the attempt we were last invited to. */
  accept(): SignalLink;
  /** Forgets the last invitation. */
  decline(): void;
  /** Calls back when the other side has started an attempt. Only one listener. */
  onInvite(callback: () => void): void;
  close(): void;
}
