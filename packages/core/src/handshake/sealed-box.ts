/**
 * Signals sealed with AES-256-GCM. Always uses the cipher of @noble: signals are a few kilobytes, the code stays
 * synchronous, and it works on pages without a secure context, where `crypto.subtle` is missing.
 */
import { gcm } from "@noble/ciphers/aes.js";
import { decodeBase64url, encodeBase64url, lvCat } from "./encoding.ts";
import { handshakeError } from "./handshake-error.ts";
import type { Role } from "./transcript.ts";

/** A signal as the server sees it. */
export interface SealedBox {
  /** Numbers a sender's boxes of a run from 0. */
  readonly seq: number;
  /** The type of the content, e.g. `offer`; authenticated, not secret. */
  readonly kind: string;
  /** Ciphertext and 16-byte tag, base64url. */
  readonly box: string;
}

/** The sending end of one direction. */
export interface Sealer {
  seal(kind: string, data: Uint8Array): SealedBox;
}

/** The receiving end of one direction. */
export interface Opener {
  /** @throws WarrenError `handshake-failed` with `decode`, `order` (not newer than the last) or `tag` (not authentic). */
  open(sealed: SealedBox): Uint8Array;
}

/** The overhead of a box over its content, in bytes. */
export const boxOverheadBytes = 16;

const directions = { A: "A>B", B: "B>A" } as const satisfies Record<Role, string>;

/** Seals the boxes of `sender` in the run `sid`. A key must have only one sealer: its counter is the nonce. */
export function createSealer(key: Uint8Array, sid: Uint8Array, sender: Role): Sealer {
  let next = 0;
  return {
    seal: (kind, data) => {
      const seq = next++;
      const box = cipher(key, sid, sender, seq, kind).encrypt(data);
      return { seq, kind, box: encodeBase64url(box) };
    },
  };
}

/** Opens the boxes of `sender` in the run `sid`, each once and in order; gaps are allowed. */
export function createOpener(key: Uint8Array, sid: Uint8Array, sender: Role): Opener {
  let last = -1;
  return {
    open: ({ seq, kind, box }) => {
      const bytes = decodeBase64url(box);
      if (bytes === null || !Number.isSafeInteger(seq)) throw handshakeError("decode");
      if (seq <= last) throw handshakeError("order");
      const data = decrypt(cipher(key, sid, sender, seq, kind), bytes);
      last = seq; // only now: a forged box must not block genuine ones
      return data;
    },
  };
}

function cipher(key: Uint8Array, sid: Uint8Array, sender: Role, seq: number, kind: string) {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(4, BigInt(seq));
  return gcm(key, nonce, lvCat(sid, directions[sender], nonce.subarray(4), kind));
}

function decrypt(gcmCipher: ReturnType<typeof gcm>, bytes: Uint8Array): Uint8Array {
  try {
    return gcmCipher.decrypt(bytes);
  } catch (cause) {
    throw handshakeError("tag", cause);
  }
}
