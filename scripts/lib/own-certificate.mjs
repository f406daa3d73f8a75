import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir, hostname, networkInterfaces } from "node:os";
import { join } from "node:path";

const dayMs = 86_400_000;
/** Browsers of Apple accept no certificate that is valid for longer than 825 days. */
const validMs = 365 * dayMs;
/** A certificate that ends sooner is replaced at the start. */
const leftMs = 30 * dayMs;

/** The folder of the certificate, outside the repository, so that a new copy of it has no new warning. */
export function certificateFolder() {
  return join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "warren", "certificate");
}

/** The names and addresses under which browsers on the network may reach this machine. */
export function ownHosts() {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const reachable = addresses.filter(({ internal, family }) => !internal && family === "IPv4");
  const names = ["localhost", hostname().toLowerCase()].filter((name) => /^[a-z\d.-]+$/.test(name));
  return { names: [...new Set(names)], addresses: ["127.0.0.1", ...reachable.map(({ address }) => address)] };
}

/**
 * A certificate that this machine signs for itself, and its key, as PEM files. They are kept while they name every host and
 * remain valid, so that each browser warns only once.
 * @param {string} folder
 * @param {{ names: readonly string[], addresses: readonly string[] }} hosts
 * @param {number} now ms since the epoch
 * @returns {Promise<{ certFile: string, keyFile: string }>}
 */
export async function ownCertificate(folder, hosts, now = Date.now()) {
  const files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  if (await isUsable(files, hosts, now)) return files;
  const { generate } = await import("selfsigned");
  const altNames = [
    ...hosts.names.map((value) => ({ type: /** @type {const} */ (2), value })),
    ...hosts.addresses.map((ip) => ({ type: /** @type {const} */ (7), ip })),
  ];
  const made = await generate([{ name: "commonName", value: "Warren on this machine" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(now - dayMs), // a phone's clock may be behind
    notAfterDate: new Date(now + validMs),
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames },
    ],
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(files.keyFile, made.private, { mode: 0o600 });
  await writeFile(files.certFile, made.cert);
  return files;
}

/**
 * @param {{ certFile: string, keyFile: string }} files
 * @param {{ names: readonly string[], addresses: readonly string[] }} hosts
 * @param {number} now
 */
async function isUsable({ certFile, keyFile }, { names, addresses }, now) {
  try {
    const cert = new X509Certificate(await readFile(certFile));
    const key = createPrivateKey(await readFile(keyFile));
    return (
      cert.checkPrivateKey(key) &&
      Date.parse(cert.validFrom) <= now &&
      Date.parse(cert.validTo) - now > leftMs &&
      names.every((name) => cert.checkHost(name) !== undefined) &&
      addresses.every((address) => cert.checkIP(address) !== undefined)
    );
  } catch {
    return false; // missing or unreadable
  }
}
