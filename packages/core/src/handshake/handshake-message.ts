import { shareBytes } from "./crypto/cpace.ts";
import { decodeBase64url, encodeBase64url } from "./crypto/encoding.ts";
import { boxOverheadBytes } from "./crypto/sealed-box.ts";
import { handshakeError } from "./handshake-error.ts";
import { publicKeyBytes, signatureBytes } from "./identity.ts";
import { digestBytes, nonceBytes, type Party } from "./transcript.ts";

/** A → B. All strings of the four messages are base64url without padding. */
export interface HandshakeMessage1 {
  readonly type: "hs1";
  readonly v: 1;
  /** The commitment to A's nonce, fingerprint and public key, 32 bytes. */
  readonly C: string;
}

/** B → A. */
export interface HandshakeMessage2 {
  readonly type: "hs2";
  /** A nonce, 16 bytes. */
  readonly rB: string;
  /** The SHA-256 of B's DTLS certificate, 32 bytes. */
  readonly fpB: string;
  /** B's identity key as SPKI, 91 bytes, or empty. */
  readonly idPubB: string;
  /** B's CPace share, 32 bytes. */
  readonly Yb: string;
}

/** A → B. The offer follows at once in its own box, so this box contains only the signature. */
export interface HandshakeMessage3 {
  readonly type: "hs3";
  readonly rA: string;
  readonly fpA: string;
  readonly idPubA: string;
  readonly Ya: string;
  /** A's confirmation tag, 32 bytes. */
  readonly Ta: string;
  /** A's signature of the run, 64 bytes, sealed as box 0 of its direction: 80 bytes. */
  readonly sig: string;
}

/** B → A. The answer follows in its own box. */
export interface HandshakeMessage4 {
  readonly type: "hs4";
  readonly Tb: string;
  readonly sig: string;
}

export type HandshakeMessage = HandshakeMessage1 | HandshakeMessage2 | HandshakeMessage3 | HandshakeMessage4;

interface DecodedMessage3 {
  readonly party: Party;
  readonly share: Uint8Array;
  readonly tag: Uint8Array;
}

/** The `kind` of a signature's box. */
export const signatureKind = "sig";

export function encodeMessage1(commitment: Uint8Array): HandshakeMessage1 {
  return { type: "hs1", v: 1, C: encodeBase64url(commitment) };
}

/** @returns the commitment. This and the other decoders throw WarrenError `handshake-failed` with `decode`. */
export function decodeMessage1(message: HandshakeMessage1): Uint8Array {
  requireType(message, "hs1");
  if (message.v !== 1) throw handshakeError("decode");
  return decodeField(message.C, [digestBytes]);
}

export function encodeMessage2(party: Party, share: Uint8Array): HandshakeMessage2 {
  return {
    type: "hs2",
    rB: encodeBase64url(party.nonce),
    fpB: encodeBase64url(party.fingerprint),
    idPubB: encodeBase64url(party.publicKey),
    Yb: encodeBase64url(share),
  };
}

export function decodeMessage2(message: HandshakeMessage2): { party: Party; share: Uint8Array } {
  requireType(message, "hs2");
  return {
    party: decodeParty(message.rB, message.fpB, message.idPubB),
    share: decodeField(message.Yb, [shareBytes]),
  };
}

export function encodeMessage3({ party, share, tag }: DecodedMessage3, sig: string): HandshakeMessage3 {
  return {
    type: "hs3",
    rA: encodeBase64url(party.nonce),
    fpA: encodeBase64url(party.fingerprint),
    idPubA: encodeBase64url(party.publicKey),
    Ya: encodeBase64url(share),
    Ta: encodeBase64url(tag),
    sig,
  };
}

export function decodeMessage3(message: HandshakeMessage3): DecodedMessage3 {
  requireType(message, "hs3");
  decodeField(message.sig, [signatureBytes + boxOverheadBytes]);
  return {
    party: decodeParty(message.rA, message.fpA, message.idPubA),
    share: decodeField(message.Ya, [shareBytes]),
    tag: decodeField(message.Ta, [digestBytes]),
  };
}

export function encodeMessage4(tag: Uint8Array, sig: string): HandshakeMessage4 {
  return { type: "hs4", Tb: encodeBase64url(tag), sig };
}

/** @returns the confirmation tag. */
export function decodeMessage4(message: HandshakeMessage4): Uint8Array {
  requireType(message, "hs4");
  decodeField(message.sig, [signatureBytes + boxOverheadBytes]);
  return decodeField(message.Tb, [digestBytes]);
}

function decodeParty(nonce: string, fingerprint: string, publicKey: string): Party {
  return {
    nonce: decodeField(nonce, [nonceBytes]),
    fingerprint: decodeField(fingerprint, [digestBytes]),
    publicKey: decodeField(publicKey, [0, publicKeyBytes]),
  };
}

/** The messages come from the wire, so their types are not guaranteed. */
function decodeField(text: unknown, sizes: readonly number[]): Uint8Array {
  const bytes = typeof text === "string" ? decodeBase64url(text) : null;
  if (bytes === null || !sizes.includes(bytes.length)) throw handshakeError("decode");
  return bytes;
}

function requireType(message: HandshakeMessage, type: HandshakeMessage["type"]): void {
  if (message.type !== type) throw handshakeError("decode");
}
