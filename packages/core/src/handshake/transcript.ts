import { sha256 } from "@noble/hashes/sha2.js";
import type { ClientId, RoomTag } from "@warren/protocol";
import { decodeBase64url, lvCat } from "./crypto/encoding.ts";
import { handshakeError } from "./handshake-error.ts";

/** A is the initiator, which joined the room earlier; B is the responder. */
export type Role = "A" | "B";

/** One side's inputs to a run, besides its client id. */
export interface Party {
  /** 16 random bytes. */
  readonly nonce: Uint8Array;
  /** SHA-256 of its DTLS certificate, 32 bytes. */
  readonly fingerprint: Uint8Array;
  /** Its identity key as SPKI, or empty. */
  readonly publicKey: Uint8Array;
}

export const nonceBytes = 16;
export const digestBytes = 32;

/** @throws WarrenError `handshake-failed` with `decode`. */
export function decodeRoomTag(roomTag: RoomTag): Uint8Array {
  const bytes = decodeBase64url(roomTag);
  if (bytes?.length !== digestBytes) throw handshakeError("decode");
  return bytes;
}

/** A's commitment before it learns anything about B, so that neither side can search for a favourable safety code. */
export function commitmentOf(a: Party): Uint8Array {
  return sha256(lvCat("commit/1", a.nonce, a.fingerprint, a.publicKey));
}

/** The id of a run: unique if at least one nonce is fresh. */
export function sessionIdOf(commitment: Uint8Array, responderNonce: Uint8Array): Uint8Array {
  return sha256(lvCat("sid/1", commitment, responderNonce));
}

/** The clients, room and roles of a run: members of a room share its password, so this keeps runs apart. */
export function channelIdentifier(roomTag: Uint8Array, a: ClientId, b: ClientId): Uint8Array {
  return lvCat("app/1", roomTag, "init", a, "resp", b);
}

/** `ADa` and `ADb` of CPace. */
export function associatedDataOf(party: Party): Uint8Array {
  return lvCat(party.nonce, party.fingerprint, party.publicKey);
}

/** The data that every signature of a run covers besides the signer's role. */
export interface RunNames {
  readonly sid: Uint8Array;
  readonly clientIds: Readonly<Record<Role, ClientId>>;
  readonly fingerprints: Readonly<Record<Role, Uint8Array>>;
}

/**
 * The data that the identity key of `role` signs: this run, between these two clients and certificates. The client ids
 * prevent a signature made for one peer from being shown to another.
 */
export function signedRun(role: Role, { sid, clientIds, fingerprints }: RunNames): Uint8Array {
  return lvCat("id/1", sid, role, clientIds.A, clientIds.B, fingerprints.A, fingerprints.B);
}
