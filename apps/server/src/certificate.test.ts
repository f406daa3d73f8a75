import { once } from "node:events";
import { appendFile, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect as connectTls } from "node:tls";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Certificate } from "./certificate.ts";
import { type CertificateFiles, ConfigError, readConfig } from "./config.ts";
import { AddressLimits } from "./limits/address-limits.ts";
import { toClientAddress } from "./limits/client-address.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { makeCertificate } from "./testing/test-certificate.ts";
import { TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer, type TestServerOptions } from "./testing/test-server.ts";
import { refuseUpgrade } from "./upgrade.ts";

let ours: CertificateFiles;
let other: CertificateFiles;
beforeAll(async () => {
  ours = await makeCertificate("DNS:localhost,DNS:warren.example.org,IP:127.0.0.1");
  other = await makeCertificate("DNS:localhost,DNS:*.example.org");
});
afterAll(async () => {
  for (const { certFile } of [ours, other]) await rm(dirname(certFile), { recursive: true });
});

/** A server with a certificate, at the real time of day, because the certificate is valid from then. */
function startSecure(options: TestServerOptions = {}) {
  return startTestServer({ tls: ours, clock: new ManualClock(Date.now()), ...options });
}

/** Requests `/healthz`. @returns the response, and the names of the certificate used */
function ask(port: number, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; names: string }>((resolve, reject) => {
    const socket = connectTls({
      port,
      host: "localhost",
      servername: "localhost",
      rejectUnauthorized: false,
    });
    socket.on("error", reject);
    const createConnection = () => socket;
    get({ createConnection, host: "localhost", port, path: "/healthz", headers }, (response) => {
      const names = socket.getPeerCertificate().subjectaltname ?? "";
      response.resume().on("end", () => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, names });
      });
    }).on("error", reject);
  });
}

/** Opens a silent connection. @returns when it was closed, in ms from now */
function closes(port: number, begin: (write: (bytes: Buffer) => void) => void = () => {}): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(port, "localhost");
  // The byte after the end causes a reset, which closes it too.
  socket.on("error", () => {});
  begin((bytes) => socket.write(bytes));
  return new Promise((resolve) => socket.resume().on("close", () => resolve(performance.now() - startedAt)));
}

/** Sends a raw request by plain http. @returns the head of the response */
async function askPlain(port: number | undefined, head: string): Promise<string> {
  const socket = connect(port ?? 0, "localhost");
  socket.write(`${head}\r\n\r\n`);
  const [answer] = await once(socket, "data");
  socket.destroy();
  return String(answer);
}

describe("with a certificate", () => {
  it("redirects http to https, at the requested host and path", async () => {
    await using server = await startSecure({ httpPort: 0 });
    const led = async (target: string, host: string) =>
      /^HTTP\/1\.1 308 .*\r\nLocation: (\S+)\r\n/s.exec(
        await askPlain(server.httpPort, `GET ${target} HTTP/1.1\r\nHost: ${host}`),
      )?.[1];
    expect(await led("/r/room?pwd=1", "warren.example.org")).toBe(
      `https://warren.example.org:${server.port}/r/room?pwd=1`,
    );
    expect(await led("/", "[::1]:80")).toBe(`https://[::1]:${server.port}/`);
    expect(await led("//evil.example/", "localhost:8080")).toBe(
      `https://localhost:${server.port}//evil.example/`,
    );
    expect(await led("http://evil.example/", "localhost")).toBe(`https://localhost:${server.port}/`);
    for (const host of ["", "user@evil.example", "a/b", "a:b:c"])
      expect(await askPlain(server.httpPort, `GET / HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 400 /);
    for (const request of ["GET / HTTP/1.1\r\nHost: localhost", "GET / HTTP/1.1", "nonsense"]) {
      const answer = await askPlain(server.httpPort, request);
      expect(answer).toContain("Content-Security-Policy: default-src 'none'");
      expect(answer).not.toContain("Strict-Transport-Security");
    }
    expect((await ask(server.port)).status).toBe(200);
    await server.stop(0);
    await expect(askPlain(server.httpPort, "GET / HTTP/1.1\r\nHost: localhost")).rejects.toThrow(
      "ECONNREFUSED",
    );
  });

  it("serves pages and sockets over TLS", async () => {
    await using server = await startSecure();
    const { status, headers, names } = await ask(server.port);
    expect({ status, names }).toEqual({
      status: 200,
      names: "DNS:localhost, DNS:warren.example.org, IP Address:127.0.0.1",
    });
    expect(headers["strict-transport-security"]).toBeUndefined();
    const client = await TestClient.open(server.port, { isSecure: true });
    await client.hello(testClientId(1));
    expect(await client.join(testRoomTag("a"))).toMatchObject({ type: "joined" });
    await client.close();
  });

  it("sets HSTS only at a public name without a port, and only for that name", async () => {
    await using server = await startSecure();
    const asksAt = async (host: string) =>
      (await ask(server.port, { host })).headers["strict-transport-security"];
    expect(await asksAt("warren.example.org")).toBe("max-age=63072000");
    // With each of these, another server may use another port, or be another machine.
    for (const host of [
      ...["warren.example.org:8443", "nas.local:8443", "nas.local", "NAS.Local.", "nas", "nas.home.arpa"],
      ...["localhost", "LOCALHOST", "localhost.", "localhost:8443", "app.localhost", "app.localhost."],
      ...["127.0.0.1", "192.168.1.2", "[::1]", "[2001:db8::1]:8443", "a b", "x;y.org"],
    ])
      expect(await asksAt(host), host).toBeUndefined();
  });

  it("sets no HSTS if it could not parse the host", async () => {
    await using server = await startSecure();
    const socket = connectTls({ port: server.port, host: "localhost", rejectUnauthorized: false });
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(10_000)}\r\n\r\n`);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(answer).not.toContain("Strict-Transport-Security");
  });

  it("opens no socket for a page that came by plain http", async () => {
    await using server = await startSecure();
    const origin = `http://localhost:${server.port}`;
    await expect(TestClient.open(server.port, { isSecure: true, origin })).rejects.toThrow("403");
  });

  it("accepts a page from outside only with a host that the certificate names without a wildcard, unless settings allow others", async () => {
    const clock = new ManualClock(Date.now());
    const open = (files: CertificateFiles) =>
      Certificate.open(files, { clock, log: pino({ level: "silent" }) });
    const [named, wildcard] = [await open(ours), await open(other)];
    const asked = (
      ip: string,
      host: string,
      settings: Record<string, string> = {},
      certificate: Certificate = named,
    ) => {
      const request = new IncomingMessage(new Socket());
      request.url = "/ws";
      request.headers = { origin: `https://${host}`, host, "sec-websocket-protocol": "room.v1" };
      const config = readConfig({ TLS_CERT: other.certFile, TLS_KEY: other.keyFile, ...settings });
      return refuseUpgrade(request, toClientAddress(ip), {
        config,
        certificate,
        addressLimits: new AddressLimits(config.limits, clock),
        openSockets: () => 0,
        isDraining: () => false,
        lagMs: () => 0,
      })?.reason;
    };
    expect(asked("203.0.113.5", "warren.example.org")).toBeUndefined();
    expect(asked("203.0.113.5", "warren.example.org:8443")).toBeUndefined();
    expect(asked("203.0.113.5", "evil.example.com")).toBe("https");
    expect(asked("203.0.113.5", "192.0.2.1:8443")).toBe("https");
    expect(asked("192.168.1.7", "192.168.1.2:8443")).toBeUndefined();
    expect(asked("203.0.113.5", "other.example.com", { SERVER_NAMES: "other.example.com" })).toBeUndefined();
    // A wildcard may include hosts of other people.
    expect(asked("203.0.113.5", "evil.example.org", {}, wildcard)).toBe("https");
    expect(
      asked("203.0.113.5", "warren.example.org", { SERVER_NAMES: "warren.example.org" }, wildcard),
    ).toBeUndefined();
    for (const certificate of [named, wildcard]) certificate.close();
  });

  it("closes a connection that sends plain HTTP, or no TLS at all, and continues to serve others", async () => {
    await using server = await startSecure();
    for (const bytes of [
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
      "\x16\x03\x01\x00\x05hello",
      "\0".repeat(9_000),
    ])
      await closes(server.port, (write) => write(Buffer.from(bytes, "latin1")));
    expect((await ask(server.port)).status).toBe(200);
  });

  it("closes a handshake that is not finished in time, even if it keeps sending", async () => {
    await using server = await startSecure();
    const dripping = closes(server.port, (write) => {
      write(Buffer.from([22, 3, 1, 2, 0]));
      const timer = setInterval(() => write(Buffer.from([1])), 500);
      timer.unref();
    });
    await Promise.all([closes(server.port), dripping]);
    expect((await ask(server.port)).status).toBe(200);
  });

  it.each([
    ["of all", { httpConnections: 20 }],
    ["of one address", { httpConnectionsPerAddress: 20, privateAddressFactor: 1 }],
  ])("counts unfinished handshakes among the connections %s", async (_of, limits) => {
    await using server = await startSecure({ limits });
    let closed = 0;
    const idle = Array.from({ length: 60 }, () => {
      const socket = connect(server.port, "localhost");
      socket.on("error", () => {});
      socket.on("close", () => {
        closed += 1;
      });
      return socket;
    });
    await expect.poll(() => closed, { timeout: 4_000 }).toBeGreaterThanOrEqual(40);
    expect((await ask(server.port)).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });

  it("also limits connections that have finished their handshake, and stops counting closed ones", async () => {
    await using server = await startSecure({ limits: { httpConnections: 5 } });
    const sockets = [];
    let closed = 0;
    for (let number = 0; number < 8; number++) {
      const socket = connectTls({ port: server.port, host: "localhost", rejectUnauthorized: false });
      socket.on("error", () => {});
      socket.on("close", () => {
        closed += 1;
      });
      await once(socket, "secureConnect");
      sockets.push(socket);
    }
    await expect.poll(() => closed).toBe(3);
    for (const socket of sockets) socket.destroy();
    // If closed ones still counted, each request would close the one before it.
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(server.port)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it("stops at once while a handshake is unfinished", async () => {
    const server = await startSecure();
    const handshaking = closes(server.port);
    await ask(server.port);
    await server.stop(0);
    expect(await handshaking).toBeLessThan(4_000);
  });
});

describe("the files of the certificate", () => {
  let folder: string;
  let files: CertificateFiles;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "warren-renewal-"));
    files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
    await place(ours);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function place(pair: Partial<CertificateFiles>): Promise<void> {
    if (pair.certFile) await copyFile(pair.certFile, files.certFile);
    if (pair.keyFile) await copyFile(pair.keyFile, files.keyFile);
  }

  it("are read again within a minute when they are renewed; open connections remain open", async () => {
    await using server = await startSecure({ tls: files });
    const member = await TestClient.open(server.port, { isSecure: true });
    await member.hello(testClientId(1));
    await place(other);
    server.clock.advance(60_000 - 1);
    expect((await ask(server.port)).names).toContain("DNS:warren.example.org");
    server.clock.advance(1);
    await expect.poll(server.logText).toContain("the certificate was renewed");
    expect((await ask(server.port)).names).toBe("DNS:localhost, DNS:*.example.org");
    expect(member.socket.readyState).toBe(member.socket.OPEN);
    member.socket.terminate();
  });

  it("leave the old pair in use while the new one is wrong, which is logged once", async () => {
    await using server = await startSecure({ tls: files });
    await place({ certFile: other.certFile });
    for (let minute = 0; minute < 3; minute++) {
      server.clock.advance(60_000);
      await expect.poll(server.logText).toContain("TLS_KEY does not belong to TLS_CERT");
    }
    expect((await ask(server.port)).names).toContain("DNS:warren.example.org");
    expect(server.logText().match(/the old one stays/g)).toHaveLength(1);
    await place(other);
    server.clock.advance(60_000);
    await expect.poll(server.logText).toContain("the certificate was renewed");
  });

  it("warn of a wildcard, of which only the hosts in SERVER_NAMES count as the server's own", async () => {
    const warning = "TLS_CERT names hosts by a wildcard";
    await using unnamed = await startSecure({ tls: other });
    expect(unnamed.logText()).toContain(warning);
    await using named = await startSecure({ tls: other, serverNames: ["warren.example.org"] });
    expect(named.logText()).not.toContain(warning);
    await using plain = await startSecure();
    expect(plain.logText()).not.toContain(warning);
  });

  it("warn of a certificate that has expired or is not valid yet, with the date", async () => {
    const days = 24 * 3_600_000;
    await using late = await startSecure({ tls: files, clock: new ManualClock(Date.now() + 3 * days) });
    expect(late.logText()).toMatch(/TLS_CERT expired on \w{3} +\d+ [\d:]+ \d{4} GMT/);
    await using early = await startSecure({ tls: files, clock: new ManualClock(Date.now() - days) });
    expect(early.logText()).toMatch(/TLS_CERT is not valid before \w{3} +\d+ /);
    await using running = await startSecure({ tls: files });
    expect(running.logText()).not.toContain("expired");
    running.clock.set(Date.now() + 3 * days);
    running.clock.advance(60_000);
    await expect.poll(running.logText).toContain("TLS_CERT expired on");
  });

  it("are refused at start with a sentence for each mistake", async () => {
    const problems = async (): Promise<readonly string[]> => {
      try {
        await (await startSecure({ tls: files })).stop(0);
      } catch (error) {
        if (error instanceof ConfigError) return error.problems;
        throw error;
      }
      return [];
    };
    expect(await problems()).toEqual([]);
    await place({ keyFile: other.keyFile });
    expect(await problems()).toEqual([
      "TLS_KEY does not belong to TLS_CERT, whose file must begin with the server's own certificate.",
    ]);
    // Both swapped, as people do.
    await place({ certFile: ours.keyFile, keyFile: ours.certFile });
    expect(await problems()).toEqual([
      `TLS_CERT must be a certificate in PEM form, followed by those of its issuers: ${files.certFile} holds none.`,
      `TLS_KEY must be a private key in PEM form, without a passphrase: ${files.keyFile} holds none.`,
    ]);
    await place(ours);
    await appendFile(files.certFile, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^TLS_CERT must hold only whole certificates after the server's own: .*cert\.pem cannot be used \(.+\)\.$/,
      ),
    ]);
    await writeFile(files.certFile, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
    await rm(files.keyFile);
    expect(await problems()).toEqual([
      `TLS_KEY names a file that cannot be read: ${files.keyFile} (ENOENT).`,
      `TLS_CERT must be a certificate in PEM form, followed by those of its issuers: ${files.certFile} holds none.`,
    ]);
  });
});
