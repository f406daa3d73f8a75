import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CertificateFiles } from "../config.ts";

/**
 * Creates a self-signed certificate, valid for two days from now.
 * @param names as OpenSSL writes them, such as `DNS:localhost,IP:127.0.0.1`
 * @returns its files, in a new folder
 */
export async function makeCertificate(names: string): Promise<CertificateFiles> {
  const folder = await mkdtemp(join(tmpdir(), "warren-certificate-"));
  const files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Warren"];
  const written = ["-keyout", files.keyFile, "-out", files.certFile, "-days", "2"];
  const made = ["req", "-x509", ...kind, ...written, "-addext", `subjectAltName=${names}`];
  await promisify(execFile)("openssl", made);
  return files;
}
