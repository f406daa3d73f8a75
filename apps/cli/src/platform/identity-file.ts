import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Identity, identityOf } from "@warren/core";
import { writeAtomically } from "./atomic-file.ts";
import { systemCodeOf } from "./disk-error.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;

/**
 * The identity of a profile, whose key is in a PEM file that only its owner may read; created if there is none.
 * @throws Error if the file is not a private key: a new one would make this machine a stranger to everybody.
 */
export async function identityIn(folder: string): Promise<Identity> {
  const { subtle } = crypto;
  const path = join(folder, "identity.pem");
  const privateKey = readKey(path) ?? makeKey(path);
  const publicKey = createPublicKey(privateKey);
  const bytesOf = (key: KeyObject, type: "pkcs8" | "spki") =>
    new Uint8Array(key.export({ type, format: "der" }));
  const keyPair = {
    privateKey: await subtle.importKey("pkcs8", bytesOf(privateKey, "pkcs8"), algorithm, false, ["sign"]),
    publicKey: await subtle.importKey("spki", bytesOf(publicKey, "spki"), algorithm, true, ["verify"]),
  };
  return identityOf(keyPair, subtle);
}

function readKey(path: string): KeyObject | null {
  try {
    const pem = readFileSync(path);
    chmodSync(path, 0o600);
    return createPrivateKey(pem);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function makeKey(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeAtomically(path, privateKey.export({ type: "pkcs8", format: "pem" }));
  return privateKey;
}
