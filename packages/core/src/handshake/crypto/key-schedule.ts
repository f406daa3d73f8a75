import { expand, extract } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "./encoding.ts";

/** The keys of a run, 32 bytes each. */
export interface RunKeys {
  /** Confirms the run: one key per side, so that a tag cannot be reflected. */
  readonly mac: { readonly A: Uint8Array; readonly B: Uint8Array };
  /** Seals signals: one key per direction, named by its sender. */
  readonly seal: { readonly A: Uint8Array; readonly B: Uint8Array };
  /** Binds the DTLS connection to the run. */
  readonly bind: Uint8Array;
}

/** HKDF-SHA256 of the intermediate session key with the session id as salt, one label per key. */
export function deriveRunKeys(isk: Uint8Array, sid: Uint8Array): RunKeys {
  const root = extract(sha256, isk, sid);
  const key = (label: string) => expand(sha256, root, utf8(label), 32);
  return {
    mac: { A: key("mac A"), B: key("mac B") },
    seal: { A: key("seal A>B"), B: key("seal B>A") },
    bind: key("bind"),
  };
}

/** `Ta` or `Tb`: proof of having derived the same keys from the same transcript, 32 bytes. */
export function confirmationTag(macKey: Uint8Array, runTranscript: Uint8Array): Uint8Array {
  return hmac(sha256, macKey, runTranscript);
}
