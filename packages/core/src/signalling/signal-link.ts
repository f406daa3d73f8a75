import type { Signal, WarrenError } from "@warren/protocol";
import type { EventSource } from "../shared/emitter.ts";

/** What the handshake proved about another client. */
export interface PeerProof {
  /** Whether it holds the key of its id; otherwise the id is only a claim. */
  readonly verifiable: boolean;
  /** That key; empty without one. */
  readonly publicKey: Uint8Array;
  /** Seven numbers from 0 to 63, equal on both sides unless there is a man in the middle. */
  readonly safetyCode: readonly number[];
}

/**
 * Proves that the open connection is the one its link negotiated. `remote` is the SHA-256 of the peer's certificate, or
 * null if the browser hides it. Both methods throw WarrenError `handshake-failed`.
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

/** The events of a {@link SignalLink}. */
export type SignalLinkEvents = {
  /** A signal of the peer. */
  signal: [signal: Signal];
  /** The link has ended because of an error. */
  failed: [error: WarrenError];
};

/** Carries the signals of one connection attempt and of its later renegotiations. */
export interface SignalLink extends EventSource<SignalLinkEvents> {
  /** Sends a signal, after those before it. */
  send(signal: Signal): void;
  /** Emits the signals received so far, or the failure, and all later ones. Call it after `on`. */
  start(): void;
  /** The proof required in the first frames of the message channel; null on a link without a handshake. */
  readonly binding: ChannelBinding | null;
  close(): void;
}

/** The events of {@link SignalLinks}. */
export type SignalLinksEvents = {
  /** The peer has started an attempt. */
  invite: [];
};

/**
 * The links to one other client, one per connection attempt. Either side may start an attempt; the other is
 * invited and accepts, or declines while its own attempt has precedence.
 * A link may need round trips of its own (an authenticated handshake) before it carries signals: sent signals are
 * queued, and its failure becomes the attempt's error. Opening the next link closes the previous one.
 */
export interface SignalLinks extends EventSource<SignalLinksEvents> {
  /** Whether an invitation of the peer waits for an answer. */
  readonly isInvited: boolean;
  /** Opens the link for our own attempt. */
  start(): SignalLink;
  /** Opens the link for the latest invitation. */
  accept(): SignalLink;
  /** Drops the latest invitation. */
  decline(): void;
  close(): void;
}
