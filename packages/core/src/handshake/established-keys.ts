import { equalBytes } from "@noble/curves/utils.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { lvCat } from "./crypto/encoding.ts";
import type { RunKeys } from "./crypto/key-schedule.ts";
import type { Opener, Sealer } from "./crypto/sealed-box.ts";
import { handshakeError } from "./handshake-error.ts";
import { safetyCodeOf } from "./sas.ts";
import type { Party, Role } from "./transcript.ts";

/** The result of a run after both sides confirmed it. */
export interface EstablishedKeys {
  /** Seals this side's signals. The next box has number 1: the signature was number 0. */
  readonly sealer: Sealer;
  /** Opens the peer's signals. */
  readonly opener: Opener;
  /** The 42-bit safety code, 6 bytes; equal on both sides. */
  readonly sas: Uint8Array;
  readonly peerIdentity: PeerIdentity;
  /** SHA-256 of the only DTLS certificate that the connection may use, 32 bytes. */
  readonly remoteFingerprint: Uint8Array;
  /**
   * This side's proof that the connection belongs to the run, 32 bytes; the first message on the data channel.
   * `remote` is the fingerprint of the certificate in use, or the committed one where browsers hide it.
   * @throws WarrenError `handshake-failed` with `fingerprint` if a certificate is not the committed one.
   */
  bindTag(local: Uint8Array, remote: Uint8Array): Uint8Array;
  /**
   * Whether `tag` is the peer's proof. No other message may be processed before this is true.
   * @throws as {@link bindTag}.
   */
  verifyBind(tag: Uint8Array, local: Uint8Array, remote: Uint8Array): boolean;
}

/** The identity that the peer proved. */
export interface PeerIdentity {
  /** Its SPKI; empty for a peer without a key. */
  readonly publicKey: Uint8Array;
  /** False with an empty key: the client id is then only a claim, never that of a known contact. */
  readonly verifiable: boolean;
}

/** A run both sides confirmed. */
interface ConfirmedRun {
  readonly role: Role;
  readonly roomTag: Uint8Array;
  readonly parties: Readonly<Record<Role, Party>>;
  readonly keys: RunKeys;
  readonly sealer: Sealer;
  readonly opener: Opener;
}

export function establishKeys(run: ConfirmedRun): EstablishedKeys {
  const { role, parties, keys, sealer, opener } = run;
  const peerRole = role === "A" ? "B" : "A";
  const own = parties[role];
  const peer = parties[peerRole];

  const requireCommitted = (local: Uint8Array, remote: Uint8Array) => {
    if (!equalBytes(local, own.fingerprint) || !equalBytes(remote, peer.fingerprint)) {
      throw handshakeError("fingerprint");
    }
  };
  const tagOf = (sender: Role, senderLocal: Uint8Array, senderRemote: Uint8Array) =>
    hmac(sha256, keys.bind, lvCat(sender, senderLocal, senderRemote));

  return {
    sealer,
    opener,
    sas: safetyCodeOf(run.roomTag, parties.A, parties.B),
    peerIdentity: { publicKey: peer.publicKey, verifiable: peer.publicKey.length > 0 },
    remoteFingerprint: peer.fingerprint,
    bindTag: (local, remote) => {
      requireCommitted(local, remote);
      return tagOf(role, local, remote);
    },
    verifyBind: (tag, local, remote) => {
      requireCommitted(local, remote);
      return equalBytes(tag, tagOf(peerRole, remote, local));
    },
  };
}
