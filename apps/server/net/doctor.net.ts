import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../cli/dist/warren.js", import.meta.url));
const serverEntry = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** The networks: a server and a client beside each other, and one client alone. */
const [servers, client, alone] = [`wd-s-${process.pid}`, `wd-c-${process.pid}`, `wd-a-${process.pid}`];
const [serverIp, clientIp] = ["10.77.0.1", "10.77.0.2"];

const ip = (...args: string[]) => execFileSync("ip", args);
const inside = (name: string, command: string, ...args: string[]) =>
  spawn("ip", ["netns", "exec", name, command, ...args], { stdio: ["ignore", "pipe", "ignore"], env });
const folder = mkdtempSync(join(tmpdir(), "warren-doctor-"));
const env = {
  ...process.env,
  XDG_DATA_HOME: folder,
  PORT: "8080",
  ALLOWED_ORIGINS: `http://${serverIp}:8080`,
};
const children: ChildProcess[] = [];

interface Verdict {
  readonly event: string;
  readonly cause: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What the doctor finds in a network. */
async function examine(name: string, ...args: string[]) {
  const startedAt = performance.now();
  const child = inside(name, process.execPath, program, "doctor", "--json", ...args);
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
  });
  const [exitCode] = await once(child, "close");
  const verdicts = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Verdict);
  return { exitCode, verdicts, seconds: (performance.now() - startedAt) / 1_000 };
}

const causesOf = (verdicts: readonly Verdict[]) => verdicts.map(({ cause }) => cause);
const atServer = ["--server", `http://${serverIp}:8080`];
const stuns = ["--stun", `stun:${serverIp}:3478`, "--stun", `stun:${serverIp}:3479`];

beforeAll(async () => {
  for (const name of [servers, client, alone]) ip("netns", "add", name);
  ip("link", "add", "wd-s", "netns", servers, "type", "veth", "peer", "name", "wd-c", "netns", client);
  for (const [name, device, address] of [
    [servers, "wd-s", serverIp],
    [client, "wd-c", clientIp],
  ] as const) {
    ip("-n", name, "link", "set", "lo", "up");
    ip("-n", name, "link", "set", device, "up");
    ip("-n", name, "addr", "add", `${address}/24`, "dev", device);
  }
  ip("-n", alone, "link", "set", "lo", "up");
  children.push(inside(servers, process.execPath, serverEntry));
  for (const port of ["3478", "3479"])
    children.push(
      inside(
        servers,
        "turnserver",
        ...["-n", `--listening-port=${port}`, "--no-tls", "--no-dtls", "--no-cli", "--stun-only"],
        ...[`--listening-ip=${serverIp}`, `--pidfile=${join(folder, port)}`],
      ),
    );
  await sleep(3_000);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const name of [servers, client, alone]) ip("netns", "del", name);
  rmSync(folder, { recursive: true });
});

describe("the connection doctor, in a network made for each verdict", () => {
  it("meets nobody without a network, and says so within 15 s", async () => {
    const { exitCode, verdicts, seconds } = await examine(alone, ...atServer, ...stuns);
    expect(exitCode).toBe(4);
    expect(seconds).toBeLessThan(16);
    expect(causesOf(verdicts)).toEqual(
      expect.arrayContaining(["signalling-silent", "addresses-none", "stun-silent", "loopback-fails"]),
    );
  });

  it("finds everything well beside a server", async () => {
    const { exitCode, verdicts } = await examine(client, ...atServer, ...stuns);
    expect(exitCode).toBe(0);
    expect(causesOf(verdicts)).toEqual(
      expect.arrayContaining(["signalling-reached", "addresses-shown", "loopback-fast"]),
    );
  });

  it("tells one STUN server that is down from the others, which still show that no router is between", async () => {
    const { exitCode, verdicts, seconds } = await examine(
      client,
      ...atServer,
      ...["--stun", `stun:${serverIp}:9`],
      ...stuns,
    );
    expect(exitCode).toBe(0);
    expect(seconds).toBeLessThan(16);
    expect(causesOf(verdicts)).toContain("nat-none");
    const servers = verdicts.map(({ cause, values }) => `${cause} ${values.server}`);
    expect(servers).toContain(`stun-silent stun:${serverIp}:9`);
    for (const port of [3478, 3479]) expect(servers).toContain(`stun-answers stun:${serverIp}:${port}`);
  });

  it("tells a server that is down from a network that is", async () => {
    const { exitCode, verdicts } = await examine(client, "--server", `http://${serverIp}:9`, ...stuns);
    expect(exitCode).toBe(4);
    expect(causesOf(verdicts)).toEqual(expect.arrayContaining(["signalling-silent", "stun-answers"]));
  });
});
