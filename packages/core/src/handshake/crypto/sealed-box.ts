/** Signals sealed with AES-256-GCM. */

import { handshakeError } from "../handshake-error.ts";
import type { Role } from "../transcript.ts";
import { decodeBase64url, encodeBase64url, lvCat } from "./encoding.ts";
import { loadPortableCrypto, platformCrypto } from "./platform-crypto.ts";

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
  /** Numbers the box in this call; boxes sealed at the same time may be ready in another order. */
  seal(kind: string, data: Uint8Array): Promise<SealedBox>;
}

/** The receiving end of one direction. */
export interface Opener {
  /**
   * Rejects with WarrenError `handshake-failed`: `decode`, `order` (not newer than the last) or `tag` (not authentic).
   * Of boxes opened at the same time, one that is ready after a newer one counts as out of order.
   */
  open(sealed: SealedBox): Promise<Uint8Array>;
}

interface Cipher {
  encrypt(nonce: Bytes, associated: Bytes, data: Uint8Array): Promise<Uint8Array>;
  /** Rejects for a box that is not authentic. */
  decrypt(nonce: Bytes, associated: Bytes, box: Uint8Array): Promise<Uint8Array>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The overhead of a box over its content, in bytes. */
export const boxOverheadBytes = 16;

const directions = { A: "A>B", B: "B>A" } as const satisfies Record<Role, string>;

/** Seals the boxes of `sender` in the run `sid`. A key must have only one sealer: its counter is the nonce. */
export function createSealer(key: Uint8Array, sid: Uint8Array, sender: Role): Sealer {
  const cipher = loadCipher(key);
  let next = 0;
  return {
    seal: async (kind, data) => {
      const seq = next++;
      const { nonce, associated } = frameOf(sid, sender, seq, kind);
      const box = await (await cipher).encrypt(nonce, associated, data);
      return { seq, kind, box: encodeBase64url(box) };
    },
  };
}

/** Opens the boxes of `sender` in the run `sid`, each once and in order; gaps are allowed. */
export function createOpener(key: Uint8Array, sid: Uint8Array, sender: Role): Opener {
  const cipher = loadCipher(key);
  let last = -1;
  return {
    open: async ({ seq, kind, box }) => {
      const bytes = decodeBase64url(box);
      if (bytes === null || !Number.isSafeInteger(seq)) throw handshakeError("decode");
      if (seq <= last) throw handshakeError("order");
      const { nonce, associated } = frameOf(sid, sender, seq, kind);
      const { decrypt } = await cipher;
      const data = await decrypt(nonce, associated, bytes).catch((cause: unknown) => {
        throw handshakeError("tag", cause);
      });
      if (seq <= last) throw handshakeError("order"); // the same one, or a newer one, was opened meanwhile
      last = seq; // only now: a forged box must not block genuine ones
      return data;
    },
  };
}

function frameOf(sid: Uint8Array, sender: Role, seq: number, kind: string) {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(4, BigInt(seq));
  return { nonce, associated: new Uint8Array(lvCat(sid, directions[sender], nonce.subarray(4), kind)) };
}

function loadCipher(key: Uint8Array): Promise<Cipher> {
  const subtle = platformCrypto();
  const cipher = subtle === undefined ? portableCipher(key) : platformCipher(key, subtle);
  cipher.catch(() => {}); // reported where it is used
  return cipher;
}

async function platformCipher(key: Uint8Array, subtle: SubtleCrypto): Promise<Cipher> {
  const imported = await subtle.importKey("raw", new Uint8Array(key), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
  const algorithm = (iv: Bytes, additionalData: Bytes) => ({ name: "AES-GCM", iv, additionalData });
  return {
    encrypt: async (nonce, associated, data) =>
      new Uint8Array(await subtle.encrypt(algorithm(nonce, associated), imported, new Uint8Array(data))),
    decrypt: async (nonce, associated, box) =>
      new Uint8Array(await subtle.decrypt(algorithm(nonce, associated), imported, new Uint8Array(box))),
  };
}

async function portableCipher(key: Uint8Array): Promise<Cipher> {
  const { gcm } = await loadPortableCrypto();
  return {
    encrypt: async (nonce, associated, data) => gcm(key, nonce, associated).encrypt(data),
    decrypt: async (nonce, associated, box) => gcm(key, nonce, associated).decrypt(box),
  };
}
