import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { buildJoinLink } from "@warren/core";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, Stage } from "./testing/program.ts";

const hasCoturn = spawnSync("turnserver", ["--version"]).error === undefined;
const secret = "a secret of these tests";

/** Longer than a server may take that counts as quick, whatever else the machine does. */
const lateMs = 2_100;

/** A line to a server on which nothing arrives at first. @returns its address */
async function lateLineTo(port: number): Promise<string> {
  const line = createServer((socket) => {
    const onward = connect(port, "127.0.0.1");
    for (const end of [socket, onward]) end.on("error", () => {}); // the program has gone
    setTimeout(() => socket.pipe(onward).pipe(socket), lateMs);
  });
  await once(line.unref().listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
}

/** coturn with this secret, over UDP, TCP and TLS. @returns the certificate that it shows, and its ports */
async function startCoturn(stage: Stage) {
  const folder = join(stage.folder, "coturn");
  mkdirSync(folder);
  const altNames = [{ type: 7, ip: "127.0.0.1" }] as const;
  const { cert, private: key } = await generate(undefined, {
    extensions: [{ name: "subjectAltName", altNames: [...altNames] }],
  });
  const [certificate, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certificate, cert);
  writeFileSync(keyFile, key);
  const [port, tlsPort] = [await freePort(), await freePort()];
  stage.runs(
    "turnserver",
    ...["-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--no-cli", "--realm=warren"],
    ...[`--listening-port=${port}`, `--tls-listening-port=${tlsPort}`],
    ...["--use-auth-secret", `--static-auth-secret=${secret}`],
    ...[`--cert=${certificate}`, `--pkey=${keyFile}`],
    ...[`--userdb=${join(folder, "db")}`, `--pidfile=${join(folder, "pid")}`],
  );
  return { certificate, port, tlsPort };
}

// Each waits for servers that do not answer.
describe.concurrent("warren doctor", () => {
  const stage = new Stage();
  let url: string;
  beforeAll(async () => {
    url = await lateLineTo((await stage.server()).port);
  });
  afterAll(() => stage.close());
  const run = (...args: string[]) => stage.run(["doctor", ...args], { data: stage.person() });

  it("finds what works, as text without addresses", async () => {
    const program = run("--server", url, "--stun", "none");
    expect(await program.exit()).toBe(0);
    const text = String(program.stdout);
    expect(text).toMatch(
      /^! signalling: 127\.\*\.\*\.\*:\d+ took \d{4} ms to answer\.\n {4}Try another network, or stop /,
    );
    expect(text).toContain("\n+ addresses: The addresses of this machine: ");
    expect(text).toContain("! stun: No STUN server is named");
    expect(text).toContain("    Name one with --stun.\n");
    expect(text).toMatch(/loopback: Connections within this machine carry/);
    expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
    expect(text).not.toMatch(/page|camera|microphone/);
  });

  it("ends with 4 if the server does not answer, and names every other finding", async () => {
    const program = run("--server", "http://127.0.0.1:9", "--stun", "stun:127.0.0.1:9", "--json");
    expect(await program.exit()).toBe(4);
    const causes = program.lines.filter(({ event }) => event === "verdict").map(({ cause }) => cause);
    for (const cause of ["signalling-silent", "stun-silent", "addresses-shown", "storage-good"])
      expect(causes).toContain(cause);
    expect(program.lines.at(-1)).toMatchObject({ event: "error", exitCode: 4 });
  });

  it("works without a server, and refuses what is no link", async () => {
    const program = run("--stun", "none");
    expect(await program.exit()).toBe(0);
    expect(program.stderr).toContain("No server was examined");
    const wrong = run("harbour");
    expect(await wrong.exit()).toBe(1);
    expect(wrong.stderr).toContain("harbour is no link to a room");
  });

  it.runIf(hasCoturn)("signs in to the relays of the server over UDP, TCP and TLS", async () => {
    const { certificate, port, tlsPort } = await startCoturn(stage);
    const TURN_URLS = `turn:127.0.0.1:${port} turns:127.0.0.1:${tlsPort}`;
    const turnVerdicts = async (TURN_SECRET: string) => {
      const server = await stage.server({ env: { TURN_URLS, TURN_SECRET } });
      const program = stage.run(["doctor", "--server", server.url, "--stun", "none", "--json"], {
        data: stage.person(),
        env: { NODE_EXTRA_CA_CERTS: certificate },
      });
      expect(await program.exit()).toBe(0);
      return program.lines.filter(({ step }) => step === "turn");
    };
    await expect
      .poll(() => turnVerdicts(secret), { timeout: 30_000 })
      .toEqual([
        expect.objectContaining({
          cause: "turn-works",
          values: expect.objectContaining({ ways: "UDP, TCP, TLS" }),
        }),
      ]);
    expect(await turnVerdicts("another secret, of nobody")).toEqual([
      expect.objectContaining({ cause: "turn-sign-in" }),
    ]);
  });

  it("examines the servers of a link if it may, and one that is wrong stops none of the others", async () => {
    const turnOf = (address: string) => ({
      authMethod: "longterm" as const,
      ...{ url: `turn:${address}`, username: "ann", password: "secret" },
    });
    const servers = { stuns: ["stun:127.0.0.1:9"], turns: [turnOf("127.0.0.1:9"), turnOf("relay.invalid")] };
    const link = buildJoinLink(`${url}/`, { roomId: "harbour", password: null, servers, by: null });
    const causesOf = async (...args: string[]) => {
      const program = run(link, "--stun", "none", "--json", ...args);
      expect(await program.exit()).toBe(0);
      return program.lines.map(({ cause }) => cause);
    };
    expect(await causesOf()).toEqual(expect.arrayContaining(["signalling-slow", "stun-none", "turn-none"]));
    const causes = await causesOf("--link-servers");
    expect(causes).toEqual(expect.arrayContaining(["signalling-slow", "stun-silent"]));
    expect(causes.filter((cause) => cause === "turn-silent")).toHaveLength(2);
  });
});
