import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeCertificate } from "./testing/test-certificate.ts";
import { TestClient, testClientId } from "./testing/test-client.ts";

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

function start(env: Record<string, string>) {
  const main = new URL("./main.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", main], {
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => {
      output[name] += String(chunk);
    });
  }
  const exited = once(child, "close").then(([code]) => ({ code, ...output }));
  return {
    child,
    exited,
    /** Waits until its log contains these words. */
    async says(words: string): Promise<void> {
      while (!output.stderr.includes(words)) await once(child.stderr, "data");
    },
    async port(): Promise<number> {
      while (!output.stdout.includes("\n")) await once(child.stdout, "data");
      return Number(/https?:\/\/localhost:(\d+)/.exec(output.stdout)?.[1]);
    },
  };
}

describe("the process", () => {
  it("prints its address, logs JSON, and ends cleanly on a signal", async () => {
    const { child, exited, port } = start({});
    expect((await fetch(`http://localhost:${await port()}/healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await exited;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Warren is open at http:\/\/localhost:\d+\n$/);
    const messages = stderr
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(messages).toMatchObject([{ msg: "listening" }, { msg: "stopping" }]);
  });

  it("waits for its clients on SIGTERM, and stops at once on a second one", async () => {
    const { child, exited, port } = start({});
    const client = await TestClient.open(await port());
    await client.hello(testClientId(1));
    child.kill("SIGTERM");
    await client.next("drain");
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect(await exited).toMatchObject({ code: 0 });
  });

  it("stops at once on Ctrl-C", async () => {
    const { child, exited, port } = start({});
    const client = await TestClient.open(await port());
    child.kill("SIGINT");
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(await exited).toMatchObject({ code: 0 });
  });

  it("does not start with a relay that browsers refuse, and says so in one sentence", async () => {
    const { exited } = start({ TURN_URLS: "turn:a.test:99999", TURN_SECRET: "s".repeat(16) });
    expect(await exited).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^TURN_URLS must list relays .*, which turn:a\.test:99999 is not\.\n$/),
    });
  });

  it("reports in one sentence that its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const taken = typeof address === "object" && address ? address.port : 0;
    const { code, stdout, stderr } = await start({ PORT: String(taken) }).exited;
    const withMetrics = await start({ METRICS_PORT: String(taken) }).exited;
    const { certFile, keyFile } = await makeCertificate("DNS:localhost");
    const withHttp = await start({ TLS_CERT: certFile, TLS_KEY: keyFile, HTTP_PORT: String(taken) }).exited;
    await rm(dirname(certFile), { recursive: true });
    other.close();
    expect(withHttp.code).toBe(1);
    expect(withHttp.stderr).toContain("stop what uses it or set HTTP_PORT to another one.\n");
    expect(withMetrics).toMatchObject({
      code: 1,
      stderr: `Port ${taken} is already in use: stop what uses it or set METRICS_PORT to another one.\n`,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `Port ${taken} is already in use: stop what uses it or set PORT to another one.\n`,
    });
  });

  it("prints the names of its certificate as addresses, and reads the certificate again on SIGHUP", async () => {
    const { certFile, keyFile } = await makeCertificate("DNS:localhost,DNS:warren.example.org");
    const started = start({ TLS_CERT: certFile, TLS_KEY: keyFile });
    const port = await started.port();
    const client = await TestClient.open(port, { isSecure: true });
    await rename((await makeCertificate("DNS:localhost")).certFile, certFile);
    started.child.kill("SIGHUP");
    await started.says("the old one stays");
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    started.child.kill("SIGINT");
    expect(await started.exited).toMatchObject({
      code: 0,
      stdout: `Warren is open at https://localhost:${port}\nWarren is open at https://warren.example.org:${port}\n`,
    });
    expect(await start({ TLS_CERT: certFile, TLS_KEY: keyFile }).exited).toMatchObject({
      code: 1,
      stderr:
        "TLS_KEY does not belong to TLS_CERT, whose file must begin with the server's own certificate.\n",
    });
  });

  it("reports which setting is wrong", async () => {
    expect(await start({ PORT: "eighty" }).exited).toMatchObject({
      code: 1,
      stderr: "PORT must be a whole number from 0 to 65535.\n",
    });
    const hinted = start({ MAX_SOCKET: "5" });
    await hinted.port();
    hinted.child.kill("SIGINT");
    expect((await hinted.exited).stderr).toContain("MAX_SOCKET is not a setting: MAX_SOCKETS may be meant.");
  });
});
