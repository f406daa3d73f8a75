import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Stage } from "../../cli/src/testing/program.ts";

const program = fileURLToPath(new URL("../../cli/dist/warren.js", import.meta.url));
const serverEntry = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/**
 * The networks: one with a server and a client, one alone, and two behind routers of their own, which reach the server's.
 * Each machine has the device `eth0`, a router `out` as well.
 */
const name = (what: string) => `wd-${what}-${process.pid}`;
const [servers, client, alone] = [name("s"), name("c"), name("a")];
const homes = [1, 2].map((number) => ({
  router: name(`r${number}`),
  routerIp: `10.77.0.1${number}`,
  machine: name(`h${number}`),
  net: `192.168.7${number}`,
}));
const [home, office] = homes as [(typeof homes)[number], (typeof homes)[number]];
const all = [servers, client, alone, ...homes.flatMap(({ router, machine }) => [router, machine])];
const [serverIp, clientIp] = ["10.77.0.1", "10.77.0.2"];
const secret = "a secret of these tests";

const ip = (...args: string[]) => execFileSync("ip", args);
const inside = (name: string, command: string, ...args: string[]) =>
  spawn("ip", ["netns", "exec", name, command, ...args], { stdio: ["ignore", "pipe", "ignore"], env });
const nft = (router: string, rules: string) => ip("netns", "exec", router, "nft", rules);
const folder = mkdtempSync(join(tmpdir(), "warren-doctor-"));
const env = {
  ...process.env,
  XDG_DATA_HOME: folder,
};
const children: ChildProcess[] = [];
const stage = new Stage();

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

/** Connects a device of one network with one of another. */
function cable(one: string, oneDevice: string, other: string, otherDevice: string): void {
  ip("link", "add", oneDevice, "netns", one, "type", "veth", "peer", "name", otherDevice, "netns", other);
  for (const [network, device] of [
    [one, oneDevice],
    [other, otherDevice],
  ] as const)
    ip("-n", network, "link", "set", device, "up");
}

/** What the routers do: how they translate, and what else their table has. */
function route(translation: "masquerade" | "masquerade fully-random", more = ""): void {
  for (const { router } of homes)
    nft(
      router,
      [
        "flush ruleset",
        "table ip nat {",
        // Otherwise what one side sends first would take the place that the other's translation needs.
        'chain input { type filter hook input priority 0; iifname "out" meta l4proto udp drop; }',
        `chain post { type nat hook postrouting priority 100; oifname "out" ${translation}; }`,
        more,
        "}",
      ].join("\n"),
    );
}

async function startServer(port: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const own = [`PORT=${port}`, `ALLOWED_ORIGINS=http://${serverIp}:${port}`];
  const given = Object.entries(more).map(([key, value]) => `${key}=${value}`);
  const child = inside(servers, "env", ...own, ...given, process.execPath, serverEntry);
  children.push(child);
  if (child.stdout) await once(child.stdout, "data");
}

beforeAll(async () => {
  for (const network of all) {
    ip("netns", "add", network);
    ip("-n", network, "link", "set", "lo", "up");
  }
  ip("-n", servers, "link", "add", "br0", "type", "bridge");
  ip("-n", servers, "link", "set", "br0", "up");
  ip("-n", servers, "addr", "add", `${serverIp}/24`, "dev", "br0");
  // coturn ends the session of who wants to reach an address that no route leads to, as none does on a server.
  ip("-n", servers, "route", "add", "default", "via", "10.77.0.254");
  for (const [number, [machine, device, address]] of [
    [client, "eth0", clientIp] as const,
    ...homes.map(({ router, routerIp }) => [router, "out", routerIp] as const),
  ].entries()) {
    cable(servers, `port${number}`, machine, device);
    ip("-n", servers, "link", "set", `port${number}`, "master", "br0");
    ip("-n", machine, "addr", "add", `${address}/24`, "dev", device);
  }
  for (const { router, machine, net } of homes) {
    cable(router, "in", machine, "eth0");
    ip("-n", router, "addr", "add", `${net}.1/24`, "dev", "in");
    ip("-n", machine, "addr", "add", `${net}.2/24`, "dev", "eth0");
    ip("-n", machine, "route", "add", "default", "via", `${net}.1`);
    ip("netns", "exec", router, "sysctl", "-qw", "net.ipv4.ip_forward=1");
  }
  for (const port of ["3478", "3479"])
    children.push(
      inside(
        servers,
        "turnserver",
        ...["-n", `--listening-port=${port}`, "--no-tls", "--no-dtls", "--no-cli", "--realm=warren"],
        ...[`--listening-ip=${serverIp}`, `--relay-ip=${serverIp}`, "--use-auth-secret"],
        ...[`--static-auth-secret=${secret}`, `--pidfile=${join(folder, port)}`],
        `--userdb=${join(folder, `db${port}`)}`,
      ),
    );
  await startServer(8080);
  await startServer(8081, { TURN_URLS: `turn:${serverIp}:3478`, TURN_SECRET: secret });
  await sleep(2_000);
});
afterAll(async () => {
  await stage.close();
  for (const child of children) child.kill("SIGKILL");
  for (const network of all) ip("netns", "del", network);
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

  it.each([
    ["nat-same-port", "masquerade"],
    ["nat-other-port", "masquerade fully-random"],
  ] as const)("finds %s behind a router that does: %s", async (cause, translation) => {
    route(translation);
    const { exitCode, verdicts } = await examine(home.machine, ...atServer, ...stuns);
    expect(exitCode).toBe(0);
    expect(causesOf(verdicts).filter((each) => each.startsWith("nat-"))).toEqual([cause]);
  });

  it("signs in to the relay of the server, and says so where a router lets it through over TCP only", async () => {
    const turn = async () => {
      const { verdicts } = await examine(home.machine, "--server", `http://${serverIp}:8081`, ...stuns);
      return verdicts.filter(({ cause }) => /^(turn|stun)-/.test(cause));
    };
    route("masquerade");
    expect(await turn()).toContainEqual(
      expect.objectContaining({ cause: "turn-works", values: expect.objectContaining({ ways: "UDP, TCP" }) }),
    );
    route("masquerade", "chain forward { type filter hook forward priority 0; meta l4proto udp drop; }");
    const blocked = await turn();
    expect(blocked).toContainEqual(
      expect.objectContaining({ cause: "turn-other-way", values: expect.objectContaining({ ways: "TCP" }) }),
    );
    expect(causesOf(blocked).filter((cause) => cause === "stun-silent")).toHaveLength(2);
  });

  it("finds a disk that is nearly full", async () => {
    const disk = join(folder, "warren");
    mkdirSync(disk, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk]);
    try {
      const { verdicts } = await examine(client, ...atServer, ...stuns);
      const small = verdicts.find(({ cause }) => cause === "storage-small");
      expect(Number(small?.values.free)).toBeLessThanOrEqual(8 * 1024 * 1024);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

/** Sends a file from one network into another. @returns the exit codes, and the way that the sender took */
async function send(from: string, to: string, port: number) {
  const start = (within: string) => ({
    data: stage.person(),
    env: { WARREN_SERVER: `http://${serverIp}:${port}` },
    within: ["ip", "netns", "exec", within],
  });
  const named = ["--json", "--reach", "20", ...stuns];
  const sender = stage.run(["send", program, ...named], start(from));
  const link = await sender.link();
  const out = join(folder, `out-${port}`);
  mkdirSync(out, { recursive: true });
  const receiver = stage.run(["receive", link, "--yes", "--dir", out, ...named], start(to));
  const exitCodes = await Promise.all([receiver.exit(), sender.exit()]);
  return { exitCodes, route: sender.lines.find(({ event }) => event === "met")?.route };
}

describe("two terminals", () => {
  it("meet directly where both routers give one port for everybody", async () => {
    route("masquerade");
    expect(await send(home.machine, office.machine, 8080)).toEqual({
      exitCodes: [0, 0],
      route: "direct-internet",
    });
  });

  it("end with 4 where neither router does, and use the relay of a server that has one", async () => {
    route("masquerade fully-random");
    expect((await send(home.machine, office.machine, 8080)).exitCodes).toEqual([4, 4]);
    expect(await send(home.machine, office.machine, 8081)).toEqual({ exitCodes: [0, 0], route: "relayed" });
  });
});
