import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "./clock.ts";
import { readConfig } from "./config.ts";
import { createHttpServer } from "./http.ts";
import { HttpConnections } from "./limits/http-connections.ts";
import { UnreadBytes } from "./limits/unread-bytes.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { TestClient } from "./testing/test-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";
import { queuesAreShown, unreadAt } from "./testing/unread-at.ts";
import type { WebFile } from "./web-files.ts";

const mib = 1024 ** 2;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Unlike fetch, sends any path and Host unchanged. */
function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ port, path, headers, method, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += String(chunk);
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    })
      .on("error", reject)
      .end();
  });
}

/** Headers that every response has. */
const policy = {
  "content-security-policy": expect.stringContaining("default-src 'none'"),
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Sends raw bytes. @returns everything received until the server closed the connection */
function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "localhost");
  socket.write(bytes);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  return new Promise((resolve, reject) => {
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

/** A server of two files, one larger than all buffers between it and a client. */
async function serveLargeFile({
  stalledMs,
  clock = systemClock,
}: {
  stalledMs?: number;
  clock?: Clock;
} = {}) {
  const fileOf = (sizeBytes: number): WebFile => ({
    bodies: new Map([["identity", Buffer.alloc(sizeBytes)]]),
    contentType: "image/png",
    etag: 'W/"a"',
    isImmutable: true,
  });
  const config = readConfig({});
  const unread = new UnreadBytes(clock);
  const server = createHttpServer({
    config,
    connections: new HttpConnections(config, unread),
    unread,
    files: new Map([
      ["/large.png", fileOf(64 * mib)],
      ["/small.png", fileOf(mib / 2)],
    ]),
    isDraining: () => false,
    ...(stalledMs !== undefined && { stalledMs }),
  });
  const sockets: Socket[] = [];
  const firstClosed = new Promise<void>((resolve) => {
    server.on("connection", (socket) => {
      sockets.push(socket);
      socket.on("close", () => resolve());
    });
  });
  let read = 0;
  server.on("request", () => {
    read += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  unread.serves(port);
  const close = () => {
    unread.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, sockets, firstClosed, requestsRead: () => read, close };
}

describe("the web app", () => {
  const mainCode = "export {};".repeat(100);
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "warren-web-"));
    await mkdir(join(folder, "dist/assets"), { recursive: true });
    await mkdir(join(folder, "dist/.vite"));
    await writeFile(join(folder, "secret.txt"), "outside");
    await writeFile(join(folder, "dist/.vite/manifest.json"), "{}");
    await writeFile(join(folder, "dist/index.html"), "<!doctype html><title>Warren</title>");
    await writeFile(join(folder, "dist/sw.js"), "self.skipWaiting()");
    const main = join(folder, "dist/assets/main-abc123.js");
    await writeFile(main, mainCode);
    await writeFile(`${main}.br`, brotliCompressSync(mainCode));
    await writeFile(`${main}.gz`, gzipSync(mainCode));
    // Left over from an earlier build.
    await writeFile(join(folder, "dist/sw.js.br"), brotliCompressSync("self.close()"));
    await writeFile(join(folder, "dist/sw.js.gz"), "no gzip");
    server = await startTestServer({
      webRoot: join(folder, "dist"),
      trustedProxyHops: 1,
      connectSources: ["wss://other.example.org"],
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it.each(["/", "/index.html", "/?id=room&join=true", "/settings", "/video/", "/unknown/page"])(
    "answers %s with the page, which browsers must revalidate",
    async (path) => {
      const { status, headers, body } = await get(server.port, path);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["cache-control"]).toBe("no-cache");
      expect(body).toContain("<title>Warren</title>");
    },
  );

  it("lets hashed assets be cached forever", async () => {
    const { headers } = await get(server.port, "/assets/main-abc123.js");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
  });

  it.each([
    [undefined, undefined],
    ["", undefined],
    ["br, gzip", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip, deflate, zstd", undefined],
    ["identity", undefined],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=1.0, gzip;q=0.8, *;q=0.1", "br"],
    ["br;q=0.2, gzip;q=0.2, identity;q=0.9", undefined],
    ["gzip;q=0", undefined],
    ["gzip; q=0.0 , deflate", undefined],
    ["br;q=0, gzip;q=0", undefined],
    ["identity;q=0, gzip", "gzip"],
    ["identity;q=0, *", "br"],
  ])("answers Accept-Encoding %j with %s", async (accepted, encoding) => {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    const answer = await get(server.port, "/assets/main-abc123.js", headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ vary: "Accept-Encoding", "accept-ranges": "none" });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    const sizes = { br: brotliCompressSync(mainCode).length, gzip: gzipSync(mainCode).length };
    const sizeBytes = encoding === "br" || encoding === "gzip" ? sizes[encoding] : mainCode.length;
    expect(answer.headers["content-length"]).toBe(String(sizeBytes));
  });

  it.each(["identity;q=0", "*;q=0", "identity;q=0, zstd", "br;q=0, gzip;q=0, identity;q=0"])(
    "answers 406 to Accept-Encoding %j, which accepts nothing we have",
    async (accepted) => {
      const answer = await get(server.port, "/assets/main-abc123.js", { "accept-encoding": accepted });
      expect(answer).toMatchObject({ status: 406, headers: { ...policy, vary: "Accept-Encoding" } });
    },
  );

  it("sends a file as it is if what lies beside it is another or damaged, and names neither as files", async () => {
    for (const encoding of ["br", "gzip"]) {
      const { headers, body } = await get(server.port, "/sw.js", { "accept-encoding": encoding });
      expect(headers["content-encoding"]).toBeUndefined();
      expect(body).toBe("self.skipWaiting()");
    }
    for (const path of ["/sw.js.br", "/sw.js.gz", "/assets/main-abc123.js.br"])
      expect((await get(server.port, path)).status).toBe(404);
  });

  it("answers 304 to clients that have the file", async () => {
    const { headers } = await get(server.port, "/");
    const again = await get(server.port, "/", { "if-none-match": headers.etag ?? "" });
    expect(again).toMatchObject({ status: 304, body: "" });
    const strong = headers.etag?.replace("W/", "");
    for (const tags of [`"other", ${headers.etag}`, `"other",${strong}`, "*"])
      expect((await get(server.port, "/", { "if-none-match": tags })).status).toBe(304);
    expect((await get(server.port, "/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("has one weak tag for all codings of a file, whichever the client has", async () => {
    const path = "/assets/main-abc123.js";
    const tags = [];
    for (const encoding of ["br", "gzip", "identity"]) {
      const { headers } = await get(server.port, path, { "accept-encoding": encoding });
      tags.push(headers.etag);
      const again = await get(server.port, path, {
        "accept-encoding": "identity",
        "if-none-match": headers.etag ?? "",
      });
      expect(again).toMatchObject({ status: 304, body: "", headers: { vary: "Accept-Encoding" } });
      expect(again.headers["content-encoding"]).toBeUndefined();
    }
    expect(new Set(tags).size).toBe(1);
    expect(tags[0]).toMatch(/^W\/"[\w-]{22}"$/);
  });

  it.each(["/r/%E0%A4%A", "/r/%", "/client/%zz/chat"])(
    "leaves the broken link %s to the app",
    async (path) => {
      const { status, headers } = await get(server.port, path);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    },
  );

  it.each([
    "/assets/missing.js",
    "/favicon.ico",
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/%00secret.txt",
    "/.vite/manifest.json",
    "/%E0%A4%A.txt",
    "//secret.txt",
  ])("answers %s with 404", async (path) => {
    const { status, body } = await get(server.port, path);
    expect(status).toBe(404);
    expect(body).not.toContain("outside");
  });

  it.each(["bytes=0-4", "bytes=5-2", "bytes=-", "bytes=99999999-", "lines=1"])(
    "answers the range %s with the whole file, compressed or not",
    async (range) => {
      for (const encoding of ["br", "identity"]) {
        const headers = { range, "if-range": '"a"', "accept-encoding": encoding };
        const answer = await get(server.port, "/assets/main-abc123.js", headers);
        expect(answer).toMatchObject({ status: 200, headers: { "accept-ranges": "none" } });
        expect(answer.headers["content-range"]).toBeUndefined();
        if (encoding === "identity") expect(answer.body).toBe(mainCode);
      }
    },
  );

  it("sends no body to HEAD and refuses other methods", async () => {
    expect(await get(server.port, "/", {}, "HEAD")).toMatchObject({ status: 200, body: "" });
    expect(await get(server.port, "/", {}, "POST")).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });

  it("does not read shared content that no service worker took, and redirects to the page that explains it", async () => {
    expect(await get(server.port, "/share", {}, "POST")).toMatchObject({
      status: 303,
      headers: { location: "/share?left-out=1", connection: "close" },
    });
  });

  it("sends the policy that lets the page run only its own files", async () => {
    const { headers } = await get(server.port, "/", { host: "192.168.1.20:8080" });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain(
      "connect-src 'self' ws://192.168.1.20:8080 wss://192.168.1.20:8080 https://rtc.live.cloudflare.com wss://other.example.org;",
    );
    expect(policy).toContain("img-src 'self' blob: data: https:;");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types app-url inert-markup");
    expect(policy).not.toMatch(/unsafe|\*| ws: | wss: /);
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "origin-agent-cluster": "?1",
    });
  });

  it("lets only the workers that compress and decompress files compile WebAssembly", async () => {
    const policyOf = async (path: string) =>
      String((await get(server.port, path)).headers["content-security-policy"]);
    const page = await policyOf("/");
    for (const name of ["transfer-worker-B1_x-9", "compression-worker-abc123"])
      expect(await policyOf(`/assets/${name}.js`)).toBe(
        page.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"),
      );
    for (const path of [
      "/?/assets/transfer-worker-abc123.js",
      "/assets/main-abc123.js",
      "/assets/transfer-worker-abc123.html",
      "/assets/another-transfer-worker-abc123.js",
      "/assets/transfer-worker-abc123.js/page",
      "/room/assets/transfer-worker-abc123.js",
    ])
      expect(await policyOf(path)).toBe(page);
    expect(await policyOf("/sw.js")).not.toContain("unsafe");
  });

  it("lets only the page use the features it needs, by names that Chromium knows", async () => {
    const { headers } = await get(server.port, "/");
    const features = String(headers["permissions-policy"]).split(", ");
    for (const feature of ["camera", "microphone", "display-capture"]) {
      expect(features).toContain(`${feature}=(self)`);
    }
    expect(features).toContain("geolocation=()");
    // Chromium would warn about it on every page; the page may use it by default.
    expect(String(headers["permissions-policy"])).not.toContain("speaker-selection");
  });

  it.each(["a b", "x;script-src", "evil.example.org'unsafe-inline'", "x,y", "[::1"])(
    "does not write the Host %s into the policy",
    async (host) => {
      const { headers } = await get(server.port, "/", { host });
      expect(headers["content-security-policy"] ?? "").not.toContain(host);
    },
  );

  it("gives the service worker its own policy", async () => {
    const { headers } = await get(server.port, "/sw.js");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'/,
    );
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
  });

  it("sets HSTS only for clients that came by https, as reported by our own proxy", async () => {
    const header = async (proto?: string) =>
      (await get(server.port, "/", proto === undefined ? {} : { "x-forwarded-proto": proto })).headers[
        "strict-transport-security"
      ];
    expect(await header("https")).toBe("max-age=63072000; includeSubDomains");
    expect(await header("http")).toBeUndefined();
    expect(await header()).toBeUndefined();
    await using untrusting = await startTestServer();
    const { headers } = await get(untrusting.port, "/", { "x-forwarded-proto": "https" });
    expect(headers["strict-transport-security"]).toBeUndefined();
  });
});

describe("under a path of its host", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "warren-web-"));
    await mkdir(join(folder, "assets"));
    const page = '<link rel="manifest" href="/warren/manifest.webmanifest" />';
    await writeFile(join(folder, "index.html"), page);
    await writeFile(join(folder, "sw.js"), "");
    await writeFile(join(folder, "assets/transfer-worker-abc.js"), "");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is served at the path it was built for, also if a proxy removes the path", async () => {
    await using server = await startTestServer({ webRoot: folder, trustedProxyHops: 1 });
    for (const path of ["/warren/", "/warren/r/harbour", "/r/harbour", "/"])
      expect(await get(server.port, path)).toMatchObject({
        status: 200,
        body: expect.stringContaining("manifest"),
      });
    expect(await get(server.port, "/warren")).toMatchObject({
      status: 308,
      headers: { location: "/warren/" },
    });
    const asked = "?id=a%20room&join=true";
    expect((await get(server.port, `/warren${asked}`)).headers.location).toBe(`/warren/${asked}`);
    // Node accepts a form feed in a URL, but refuses to write one into a header.
    expect(await raw(server.port, "GET /warren?\f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 (?:308|400) /,
    );
    expect((await get(server.port, "/warren/healthz")).body).toBe("ok\n");
    expect((await get(server.port, "/healthz")).body).toBe("ok\n");
    expect(await get(server.port, "/warren/share", {}, "POST")).toMatchObject({
      status: 303,
      headers: { location: "/warren/share?left-out=1" },
    });
    const policyOf = async (path: string) =>
      String((await get(server.port, path)).headers["content-security-policy"]);
    expect(await policyOf("/warren/assets/transfer-worker-abc.js")).toContain("wasm-unsafe-eval");
    expect(await policyOf("/warren/sw.js")).toContain("trusted-types 'none'");
    // The host has other apps too.
    const { headers } = await get(server.port, "/warren/", { "x-forwarded-proto": "https" });
    expect(headers["strict-transport-security"]).toBeUndefined();
    for (const path of ["/warren/ws", "/ws"])
      (await TestClient.open(server.port, { path })).socket.terminate();
    await expect(TestClient.open(server.port, { path: "/other/ws" })).rejects.toThrow("404");
  });

  it("does not start with a page built for another path, and explains how to build it", async () => {
    await expect(startTestServer({ webRoot: folder, basePath: "/burrow/" })).rejects.toThrow(
      `BASE_PATH is /burrow/, but the web app in ${folder} was built for /warren/: run \`BASE_PATH=/burrow/ npm run build\`.`,
    );
  });
});

describe("without a web build", () => {
  it("explains what to do in a sentence, and is healthy", async () => {
    await using server = await startTestServer();
    const { status, body } = await get(server.port, "/");
    expect(status).toBe(503);
    expect(body).toBe("The web app is not built yet: run `npm run build`, then start the server again.\n");
    expect(await get(server.port, "/healthz")).toMatchObject({ status: 200, body: "ok\n" });
    expect(await get(server.port, "/readyz")).toMatchObject({ status: 200, body: "ready\n" });
    expect((await get(server.port, "/ws")).status).toBe(426);
  });
});

describe("slow and broken requests", () => {
  it("cuts off a request that does not finish its headers", async () => {
    await using server = await startTestServer();
    const startedAt = performance.now();
    const socket = connect(server.port, "localhost");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toContain("408 Request Timeout");
    // Node's own limit is a minute.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it.each([
    ["names no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    [
      "sends an unknown Expect header",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n",
      200,
    ],
    [
      "requests a socket with an invalid key",
      `GET /ws HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Protocol: room.v1\r\n\r\n`,
      400,
    ],
  ])("answers with its policy a client that %s", async (_who, bytes, status) => {
    await using server = await startTestServer();
    const answer = await raw(server.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain("Content-Security-Policy: default-src 'none'");
  });

  it("refuses too large headers and invalid HTTP, with the same headers as every response", async () => {
    await using server = await startTestServer();
    const large = await get(server.port, "/", { cookie: "x".repeat(9_000) });
    expect(large).toMatchObject({ status: 431, headers: policy });
    const answer = await raw(server.port, "nonsense\r\n\r\n");
    expect(answer).toContain("HTTP/1.1 400 Bad Request");
    expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  });

  it("closes a connection that sends request after request and reads no answer", async () => {
    const server = await serveLargeFile({ stalledMs: 3_600_000 });
    const client = connect(server.port, "localhost").pause();
    client.on("error", () => {});
    client.write("GET /large.png HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_500));
    await server.firstClosed;
    // What arrived together with the fifth is not parsed, which would cost far more than the close.
    expect(server.requestsRead()).toBe(5);
    client.destroy();
    server.close();
  });

  it("answers none of too many requests received together, and continues to serve others", async () => {
    await using server = await startTestServer();
    const one = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    // Node reuses parsers: a stopped one must work for the next connection.
    for (let round = 0; round < 3; round++) {
      expect(await raw(server.port, one.repeat(10))).toBe("");
      expect((await get(server.port, "/healthz")).status).toBe(200);
    }
  });

  it("writes no answer into a connection that has become a WebSocket meanwhile", async () => {
    await using server = await startTestServer();
    const host = `localhost:${server.port}`;
    const upgrade = `GET /ws HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: room.v1\r\n\r\n`;
    const client = connect(server.port, "localhost");
    client.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${upgrade}`);
    let answer = "";
    client.on("data", (chunk) => {
      answer += String(chunk);
      // An unmasked frame: the server closes the socket, after everything it wrote before has arrived.
      if (answer.includes("challenge")) client.write("\x81\x01a");
    });
    await once(client, "close");
    expect(answer).toContain("101 Switching Protocols");
    expect(answer).not.toContain("200 OK");
  });

  it("answers requests that were sent together", async () => {
    await using server = await startTestServer();
    const one = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
    const answers = await raw(server.port, `${one}\r\n${one}\r\n${one}Connection: close\r\n\r\n`);
    expect(answers.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
  });

  it("limits the new connections of one address", async () => {
    await using server = await startTestServer({
      limits: { privateAddressFactor: 1, httpConnectionsPerAddress: 10_000, httpConnections: 10_000 },
    });
    let closed = 0;
    const sockets = Array.from({ length: 1_000 }, () => {
      const socket = connect(server.port, "localhost");
      socket.on("error", () => {});
      socket.on("close", () => {
        closed += 1;
      });
      return socket;
    });
    // Only the rate limit can close one: all would fit. Even a slow machine opens a thousand faster than the limit allows.
    await expect.poll(() => closed).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ["of all", { httpConnections: 20 }],
    ["of one address", { httpConnectionsPerAddress: 20, privateAddressFactor: 1 }],
  ])("stays within its limit of connections %s by closing silent ones", async (_of, limits) => {
    await using server = await startTestServer({ limits });
    const member = await server.client(1);
    let closed = 0;
    const idle = Array.from({ length: 60 }, () => {
      const socket = connect(server.port, "localhost");
      socket.on("error", () => {});
      socket.on("close", () => {
        closed += 1;
      });
      return socket;
    });
    await expect.poll(() => closed).toBe(40);
    expect((await get(server.port, "/healthz")).status).toBe(200);
    expect(await member.rest()).toEqual([]);
    for (const socket of idle) socket.destroy();
  });

  it("limits the connections through a trusted proxy in total, and not per address", async () => {
    await using server = await startTestServer({
      trustedProxyHops: 1,
      limits: { privateAddressFactor: 1, httpConnectionsPerAddress: 20, httpConnections: 500 },
    });
    let closed = 0;
    const sockets: Socket[] = [];
    const open = (count: number) => {
      for (let number = 0; number < count; number++) {
        const socket = connect(server.port, "localhost");
        socket.on("error", () => {});
        socket.on("close", () => {
          closed += 1;
        });
        sockets.push(socket);
      }
    };
    // 200: more than one address may hold, and more than it may open at once.
    open(500);
    const last = sockets.at(-1);
    if (!last) expect.fail();
    last.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n");
    // They are accepted in order.
    await once(last, "data");
    expect(closed).toBe(0);
    open(10);
    await expect.poll(() => closed).toBe(10);
    const four = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n".repeat(4);
    expect(await raw(server.port, four.repeat(2))).toBe("");
    for (const socket of sockets) socket.destroy();
  });

  it.skipIf(!queuesAreShown)(
    "lets the system hold little of what many connections do not read, and serves those that read",
    async () => {
      const server = await serveLargeFile();
      const silent = Array.from({ length: 40 }, () => {
        const client = connect(server.port, "localhost").pause();
        client.on("error", () => {});
        client.write("GET /large.png HTTP/1.1\r\nHost: x\r\n\r\n");
        return client;
      });
      await expect.poll(() => server.requestsRead()).toBe(silent.length);
      expect((await get(server.port, "/healthz")).status).toBe(200);
      expect((await get(server.port, "/small.png")).body).toHaveLength(mib / 2);
      // Before, 4 MiB each: as much as the system takes.
      expect(await unreadAt(server.port)).toBeLessThan(24 * mib);
      for (const client of silent) client.destroy();
      server.close();
    },
  );

  it.skipIf(!queuesAreShown)(
    "closes a connection after its last response once that was read, or drops it",
    async () => {
      const clock = new ManualClock();
      const server = await serveLargeFile({ clock });
      const request = "GET /small.png HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      const answer = raw(server.port, request);
      await expect.poll(() => server.sockets.length).toBe(1);
      expect((await answer).length).toBeGreaterThan(mib / 2);

      const silent = connect(server.port, "localhost").pause();
      silent.on("error", () => {});
      silent.write(request);
      await expect.poll(() => server.sockets[1]?.writableFinished).toBe(true);
      // What was read is measured as the clock goes on.
      const pass = async () => {
        clock.advance(10_000);
        await unreadAt(server.port);
        return server.sockets[1]?.destroyed;
      };
      expect(await pass()).toBe(false);
      await expect.poll(pass).toBe(true);
      expect(await unreadAt(server.port)).toBe(0);
      silent.destroy();
      server.close();
    },
  );

  it("closes the connection of a client that stops reading a response", async () => {
    const server = await serveLargeFile({ stalledMs: 500 });
    const client = connect(server.port, "localhost").pause();
    client.on("error", () => {});
    client.write("GET /large.png HTTP/1.1\r\nHost: x\r\n\r\n");
    await server.firstClosed;
    client.destroy();
    server.close();
  });
});
