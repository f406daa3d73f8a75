import { randomBytes } from "node:crypto";
import type { ClientFrame, ClientId } from "@warren/protocol";
import { clientIdOf, helloProofInput } from "@warren/protocol/key-proof";

const { subtle } = globalThis.crypto;

/** The client of a socket. */
export interface Identity {
  readonly clientId: ClientId;
  /** Whether it has proven the key from which the id is derived. Without a key, the id is only claimed. */
  readonly isProven: boolean;
}

/** A fresh nonce for a `challenge`: 32 bytes as base64url. */
export function createNonce(): string {
  return randomBytes(32).toString("base64url");
}

/** @returns the identity that a `hello` proves or, without a key, claims; undefined if the proof is invalid. */
export async function identify(
  nonce: string,
  { clientId, server, publicKey, proof }: Extract<ClientFrame, { type: "hello" }>,
): Promise<Identity | undefined> {
  if (publicKey === "" && proof === "") return { clientId, isProven: false };
  const spki = Buffer.from(publicKey, "base64url");
  if (clientIdOf(spki) !== clientId) return undefined;
  const signed = helloProofInput(Buffer.from(nonce, "base64url"), clientId, server);
  const isHis = await verify(spki, Buffer.from(proof, "base64url"), signed);
  return isHis ? { clientId, isProven: true } : undefined;
}

type Bytes = Uint8Array<ArrayBuffer>;

async function verify(spki: Bytes, signature: Bytes, signed: Uint8Array): Promise<boolean> {
  try {
    const key = await subtle.importKey("spki", spki, { name: "ECDSA", namedCurve: "P-256" }, false, [
      "verify",
    ]);
    return await subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, Uint8Array.from(signed));
  } catch {
    // Not a key of that curve.
    return false;
  }
}
