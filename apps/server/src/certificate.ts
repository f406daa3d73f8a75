import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import { type CertificateFiles, ConfigError } from "./config.ts";

const rereadEveryMs = 60_000;

/** The contents of both files, and the server's own certificate, which is the first. */
interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly own: X509Certificate;
}

interface CertificatePorts {
  readonly clock: Clock;
  readonly log: Logger;
}

/** The certificate of this server. Renewed files replace it while the server runs. */
export class Certificate {
  /** Called with a renewed pair. */
  onRenewed: (pair: SecureContextOptions) => void = () => {};
  readonly #files: CertificateFiles;
  readonly #ports: CertificatePorts;
  #pair: Pair;
  /** The last logged error or warning, so that each is logged once. */
  #logged = "";
  #cancel: () => void;

  private constructor(files: CertificateFiles, pair: Pair, ports: CertificatePorts) {
    this.#files = files;
    this.#pair = pair;
    this.#ports = ports;
    this.#warnOfDates();
    this.#cancel = ports.clock.after(rereadEveryMs, () => this.#rereadSoon());
  }

  /** @throws ConfigError if the files are not a certificate and its key. */
  static async open(files: CertificateFiles, ports: CertificatePorts): Promise<Certificate> {
    return new Certificate(files, await readPair(files), ports);
  }

  get pair(): SecureContextOptions {
    const { cert, key } = this.#pair;
    return { cert, key };
  }

  /** The hosts of the certificate, as in a URL: `warren.example.org`, `192.0.2.1`, `[2001:db8::1]`. */
  get hosts(): readonly string[] {
    return hostsOf(this.#pair.own);
  }

  /** Whether it has a wildcard, which may cover hosts of other people. */
  get hasWildcard(): boolean {
    return this.#pair.own.subjectAltName?.includes("DNS:*.") ?? false;
  }

  /**
   * Whether the certificate names a host without a wildcard.
   * @param host as in a URL, without a port
   */
  isFor(host: string): boolean {
    const { own } = this.#pair;
    const plain = host.replace(/^\[(.*)\]$/, "$1");
    return (isIP(plain) ? own.checkIP(plain) : own.checkHost(plain, { wildcards: false })) !== undefined;
  }

  /** Reads the files again. Unusable files leave the certificate unchanged. */
  async reread(): Promise<void> {
    const { log } = this.#ports;
    try {
      const pair = await readPair(this.#files);
      if (pair.cert !== this.#pair.cert || pair.key !== this.#pair.key) {
        this.onRenewed({ cert: pair.cert, key: pair.key });
        this.#pair = pair;
        this.#logged = "";
        log.info({ validTo: pair.own.validTo }, "the certificate was renewed");
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#logged)
        log.error({ reason }, "the new certificate cannot be used: the old one stays");
      this.#logged = reason;
      return;
    }
    this.#warnOfDates();
  }

  /** Stops reading. */
  close(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  #rereadSoon(): void {
    this.#cancel = this.#ports.clock.after(rereadEveryMs, () => this.#rereadSoon());
    void this.reread();
  }

  #warnOfDates(): void {
    const { clock, log } = this.#ports;
    const { validFrom, validTo } = this.#pair.own;
    const now = clock.now();
    const isEarly = now < Date.parse(validFrom);
    if (!isEarly && now <= Date.parse(validTo)) return;
    const warning = isEarly
      ? `TLS_CERT is not valid before ${validFrom}: browsers refuse it until then.`
      : `TLS_CERT expired on ${validTo}: browsers refuse it.`;
    if (warning !== this.#logged) log.warn(warning);
    this.#logged = warning;
  }
}

/** @throws ConfigError with a sentence for each mistake. */
async function readPair({ certFile, keyFile }: CertificateFiles): Promise<Pair> {
  const problems: string[] = [];
  const read = async (name: string, file: string): Promise<string> => {
    try {
      return await readFile(file, "latin1");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      problems.push(`${name} names a file that cannot be read: ${file}${code}.`);
      return "";
    }
  };
  const [cert, key] = await Promise.all([read("TLS_CERT", certFile), read("TLS_KEY", keyFile)]);
  const own = cert === "" ? undefined : parseCertificate(cert);
  const privateKey = key === "" ? undefined : parseKey(key);
  if (cert !== "" && own === undefined)
    problems.push(
      `TLS_CERT must be a certificate in PEM form, followed by those of its issuers: ${certFile} holds none.`,
    );
  if (key !== "" && privateKey === undefined)
    problems.push(`TLS_KEY must be a private key in PEM form, without a passphrase: ${keyFile} holds none.`);
  if (own && privateKey && !own.checkPrivateKey(privateKey))
    problems.push(
      "TLS_KEY does not belong to TLS_CERT, whose file must begin with the server's own certificate.",
    );
  if (problems.length === 0) problems.push(...chainProblems(cert, key, certFile));
  if (problems.length > 0 || own === undefined) throw new ConfigError(problems);
  return { cert, key, own };
}

function parseCertificate(pem: string): X509Certificate | undefined {
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Why TLS cannot use both files as a whole; until here only their first parts were parsed. */
function chainProblems(cert: string, key: string, certFile: string): readonly string[] {
  try {
    createSecureContext({ cert, key });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `TLS_CERT must hold only whole certificates after the server's own: ${certFile} cannot be used (${reason}).`,
    ];
  }
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Parses `DNS:a.test, IP Address:192.0.2.1`. Node quotes names that contain commas; those are not hosts. */
function hostsOf({ subjectAltName = "" }: X509Certificate): readonly string[] {
  return subjectAltName.split(", ").flatMap((entry) => {
    const [, name, ip] = /^(?:DNS:([\w.-]+)|IP Address:([\da-fA-F.:]+))$/.exec(entry) ?? [];
    return name ?? (ip?.includes(":") ? `[${ip}]` : ip) ?? [];
  });
}
