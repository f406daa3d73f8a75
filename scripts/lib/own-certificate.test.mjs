import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ownCertificate, ownHosts } from "./own-certificate.mjs";

const hosts = { names: ["localhost", "den"], addresses: ["127.0.0.1", "192.0.2.7"] };
const dayMs = 86_400_000;
let folder = "";

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "certificate-")), "new", "folder");
});
afterEach(() => rm(join(folder, "..", ".."), { recursive: true }));

/** @param {Parameters<typeof ownCertificate>[1]} [wanted] @param {number} [now] */
async function made(wanted = hosts, now = undefined) {
  const { certFile, keyFile } = await ownCertificate(folder, wanted, now);
  const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
  return { cert, key, keyFile, certFile, read: new X509Certificate(cert) };
}

test("names every host, and serves TLS with a key that only its owner reads", async () => {
  const { cert, key, keyFile, read } = await made();
  expect(() => createSecureContext({ cert, key })).not.toThrow();
  expect([read.checkHost("localhost"), read.checkHost("den"), read.checkIP("192.0.2.7")]).toEqual([
    "localhost",
    "den",
    "192.0.2.7",
  ]);
  expect(read.checkHost("example.org")).toBeUndefined();
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
});

test("stays the same, also for fewer hosts, until it is about to end", async () => {
  const first = await made();
  expect((await made({ names: ["localhost"], addresses: [] })).cert).toBe(first.cert);
  expect((await made(hosts, Date.now() + 300 * dayMs)).cert).toBe(first.cert);
  expect((await made(hosts, Date.now() + 350 * dayMs)).cert).not.toBe(first.cert);
});

test("is replaced for a new address, and where its files are damaged or do not belong together", async () => {
  const first = await made();
  const moved = await made({ ...hosts, addresses: ["192.0.2.8"] });
  expect(moved.read.checkIP("192.0.2.8")).toBe("192.0.2.8");
  await writeFile(moved.keyFile, first.key);
  const again = await made({ ...hosts, addresses: ["192.0.2.8"] });
  expect(again.cert).not.toBe(moved.cert);
  await writeFile(again.certFile, "nothing");
  expect((await made()).read.checkIP("192.0.2.7")).toBe("192.0.2.7");
});

test("the hosts of this machine begin with the one that every browser has", () => {
  expect(ownHosts().names[0]).toBe("localhost");
  expect(ownHosts().addresses[0]).toBe("127.0.0.1");
});
