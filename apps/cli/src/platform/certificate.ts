import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { CreateCertificate } from "@warren/core";
import type { PemCertificate } from "@warren/core/node";

const dayMs = 24 * 60 * 60 * 1_000;
const tags = { integer: 0x02, bits: 0x03, id: 0x06, text: 0x0c, sequence: 0x30, set: 0x31, time: 0x17 };
const version3 = 0xa0;
const ecdsaWithSha256 = Buffer.from("2a8648ce3d040302", "hex");
const commonName = Buffer.from("550403", "hex");

/** A self-signed certificate for the connections of one run of the program. Node can sign one, but not write one. */
export const createCertificate: CreateCertificate = async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(tags.sequence, der(tags.id, ecdsaWithSha256));
  const named = der(tags.sequence, der(tags.id, commonName), der(tags.text, Buffer.from("WebRTC")));
  const name = der(tags.sequence, der(tags.set, named));
  const now = Date.now();
  const body = der(
    tags.sequence,
    der(version3, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // a leading 1 keeps it positive
    algorithm,
    name,
    der(tags.sequence, time(now - dayMs), time(now + 365 * dayMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(tags.bits, Buffer.from([0]), sign("sha256", body, privateKey));
  const certificate = der(tags.sequence, body, algorithm, signature);
  const pem: PemCertificate = {
    certificatePem: pemOf(certificate),
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  return {
    certificates: [pem as unknown as RTCCertificate],
    fingerprint: new Uint8Array(createHash("sha256").update(certificate).digest()),
  };
};

/** One value in DER: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function pemOf(certificate: Buffer): string {
  const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().slice(2, 19).replace(/[-T:]/g, "");
  return der(tags.time, Buffer.from(`${digits}Z`));
}
