import { equalBytes } from "@noble/curves/utils.js";
import { randomBytes } from "@noble/hashes/utils.js";
import { type ClientId, type RoomTag, WarrenError } from "@warren/protocol";
import { handshakeError } from "./handshake-error.ts";
import type { Identity } from "./identity.ts";
import { clientIdOf } from "./identity.ts";
import { verifyIdentitySignature } from "./identity-signature.ts";
import { decodeRoomTag, digestBytes, nonceBytes, type Party } from "./transcript.ts";

/** The options of one side of a run. */
export interface HandshakeDeps {
  /** This side's identity, with the client id used in the room. */
  readonly identity: Identity;
  readonly peerId: ClientId;
  readonly roomTag: RoomTag;
  /** The result of `passwordRelatedString`: 32 bytes, or empty in a room without a password. */
  readonly prs: Uint8Array;
  /** SHA-256 of this side's DTLS certificate, 32 bytes. */
  readonly fingerprint: Uint8Array;
  /**
   * True when the peer's id was seen with a key before, or is pinned by an invitation: a peer that now shows no key
   * only claims the id, and the run fails with `identity`. Otherwise it completes as not verifiable.
   */
  readonly peerMustProveId?: boolean;
}

/** The options of a run, converted for it. */
interface PreparedRun {
  readonly own: Party;
  readonly roomTag: Uint8Array;
}

/**
 * @throws WarrenError `handshake-failed` with `fingerprint`, `decode` (the room's tag), or `identity` (a run with
 * oneself).
 */
export function prepareRun({ identity, peerId, roomTag, fingerprint }: HandshakeDeps): PreparedRun {
  if (fingerprint.length !== digestBytes) throw handshakeError("fingerprint");
  if (peerId === identity.clientId) throw handshakeError("identity");
  const nonce = randomBytes(nonceBytes);
  const own = { nonce, fingerprint, publicKey: identity.publicKey };
  return { own, roomTag: decodeRoomTag(roomTag) };
}

/** @throws WarrenError `handshake-failed` with `identity` unless the peer's id is derived from its key, or needs none. */
export function requireIdentity(peer: Party, { peerId, peerMustProveId }: HandshakeDeps): void {
  const claimed = peer.publicKey.length === 0;
  if (claimed ? peerMustProveId === true : clientIdOf(peer.publicKey) !== peerId) {
    throw handshakeError("identity");
  }
}

/**
 * A wrong tag means a different password or an attack, which are indistinguishable.
 * @throws WarrenError `incorrect-password`.
 */
export function requireTag(tag: Uint8Array, expected: Uint8Array): void {
  if (!equalBytes(tag, expected)) throw new WarrenError("incorrect-password", { reason: "tag" });
}

/** @throws WarrenError `handshake-failed` with `signature`. Nothing is verified for a peer without a key. */
export async function requireSignature(peer: Party, data: Uint8Array, signature: Uint8Array): Promise<void> {
  if (peer.publicKey.length === 0) return;
  if (!(await verifyIdentitySignature(peer.publicKey, data, signature))) throw handshakeError("signature");
}
