import { WarrenError } from "@warren/protocol";

/**
 * Why a run ended.
 * - `decode`: a message has a missing, malformed or wrongly sized field, or another version.
 * - `order`: a message is repeated or out of order, or a box is not newer than the last one.
 * - `identity-point`: a CPace share is no element of the group, or its neutral element.
 * - `commitment`: message 3 does not open the commitment of message 1.
 * - `identity`: the client id does not belong to the public key, or a key that was required is missing.
 * - `tag`: a confirmation tag or a sealed box is not authentic.
 * - `signature`: the identity key did not sign this run.
 * - `fingerprint`: a DTLS fingerprint is missing, malformed, or not the one the run committed to.
 */
export type HandshakeFailure =
  | "decode"
  | "order"
  | "identity-point"
  | "commitment"
  | "identity"
  | "tag"
  | "signature"
  | "fingerprint";

/** A `handshake-failed` error with its reason. */
export function handshakeError(reason: HandshakeFailure, cause?: unknown): WarrenError {
  return new WarrenError("handshake-failed", { reason }, cause === undefined ? undefined : { cause });
}
