import { equalBytes } from "@noble/curves/utils.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { lvCat } from "./encoding.ts";
import { handshakeError } from "./handshake-error.ts";
import type { RunKeys } from "./key-schedule.ts";
import { safetyCodeOf } from "./sas.ts";
import type { Opener, Sealer } from "./sealed-box.ts";
import type { Party, Role } from "./transcript.ts";

/** What a side holds once both have confirmed the run. */
export interface EstablishedKeys {
  /** Seals what this side sends. The next box has number 1: the signature was number 0. */
  readonly sealer: Sealer;
  /** Opens what the peer sends. */
  readonly opener: Opener;
  /** The 42-bit safety code, 6 bytes; both sides have the same. */
  readonly sas: Uint8Array;
  readonly peerIdentity: PeerIdentity;
  /** The only DTLS certificate the connection may show, SHA-256, 32 bytes. */
  readonly remoteFingerprint: Uint8Array;
  /**
   * The first thing to send on the data channel: this side's proof that the connection belongs to the run, 32 bytes.
   * `remote` is the fingerprint of the certificate the connection shows, or the committed one where browsers hide it.
   * @throws WarrenError `handshake-failed` with `fingerprint` when a certificate is not the one committed to.
   */
  bindTag(local: Uint8Array, remote: Uint8Array): Uint8Array;
  /**
   * Whether `tag` is the peer's proof. Nothing else may be read from the channel before this is true.
   * @throws as {@link bindTag}.
   */
  verifyBind(tag: Uint8Array, local: Uint8Array, remote: Uint8Array): boolean;
}

/** Who the peer proved to be. */
export interface PeerIdentity {
  /** Its SPKI; empty for a peer that has none. */
  readonly publicKey: Uint8Array;
  /** False with an empty key: the client id is then a claim, never that of a known contact. */
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
