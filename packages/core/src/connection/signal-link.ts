import type { Signal, WarrenError } from "@warren/protocol";
import type { PeerProof } from "./peer.ts";

/**
 * Proves that the open connection is the one its link negotiated. `remote` is the SHA-256 of the peer's certificate, or
 * null where the browser hides it. Both methods throw WarrenError `handshake-failed`.
 */
export interface ChannelBinding {
  readonly peer: PeerProof;
  /** SHA-256 of the certificate that the peer is bound to on every connection. */
  readonly remoteFingerprint: Uint8Array;
  /** Our proof, base64url. */
  prove(remote: Uint8Array | null): string;
  /** Whether `proof` is valid for the peer. */
  verify(proof: string, remote: Uint8Array | null): boolean;
}

/** Carries the signals of one connection attempt and of its later renegotiations. */
export interface SignalLink {
  /** @throws WarrenError `frame-too-large` for a description that no server would relay. */
  send(signal: Signal): void;
  /** Delivers each signal of the peer, earlier ones first; `onFailure` ends the link. */
  listen(onSignal: (signal: Signal) => void, onFailure: (error: WarrenError) => void): void;
  /** The proof required in the first frames of the message channel; null on a link without a handshake. */
  readonly binding: ChannelBinding | null;
  close(): void;
}

/**
 * The links to one other client, one per connection attempt. Either side may start an attempt; the other is
 * invited and accepts, or declines while it is busy with an attempt of its own that has precedence.
 * A link may need round trips of its own (an authenticated handshake) before it carries signals: sent signals are
 * queued, and its failure becomes the attempt's error. Opening the next link closes the previous one.
 */
export interface SignalLinks {
  /** Opens the link for an attempt of our own. */
  start(): SignalLink;
  /** Opens the link for the latest invitation. */
  accept(): SignalLink;
  /** Drops the latest invitation. */
  decline(): void;
  /** Calls back when the peer has started an attempt. Only one listener. */
  onInvite(callback: () => void): void;
  close(): void;
}
