import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mayChangeMachine } from "./testing/machine.ts";
import { type Program, Stage } from "./testing/program.ts";

const serverEntry = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
/** A switch with the server at it, and two machines plugged into it. */
const [hub, nas, laptop] = [`wa-h-${process.pid}`, `wa-n-${process.pid}`, `wa-l-${process.pid}`];
const url = "http://10.78.0.1:8080";
const stage = new Stage();
const ip = (...args: string[]) => execFileSync("ip", args);
let server: ChildProcess;

async function startServer(): Promise<void> {
  const env = { ...process.env, PORT: "8080", ALLOWED_ORIGINS: url };
  const args = ["netns", "exec", hub, process.execPath, serverEntry];
  server = spawn("ip", args, { env, stdio: ["ignore", "pipe", "ignore"] });
  if (server.stdout) await once(server.stdout, "data");
}

const run = (machine: string, data: string, ...args: string[]): Program =>
  stage.run([...args, "--stun", "none", "--json"], {
    data,
    env: { WARREN_SERVER: url },
    within: ["ip", "netns", "exec", machine],
  });

describe.runIf(mayChangeMachine)("a receiver that always runs", () => {
  beforeAll(async () => {
    for (const name of [hub, nas, laptop]) ip("netns", "add", name);
    ip("-n", hub, "link", "add", "br0", "type", "bridge");
    for (const [name, addresses] of [
      [nas, ["10.78.0.2/24"]],
      [laptop, ["10.78.0.3/24", "10.79.0.3/24"]],
    ] as const) {
      const port = `port-${name}`.slice(0, 15);
      ip("link", "add", port, "netns", hub, "type", "veth", "peer", "name", "eth0", "netns", name);
      ip("-n", hub, "link", "set", port, "master", "br0", "up");
      for (const address of addresses) ip("-n", name, "addr", "add", address, "dev", "eth0");
      for (const device of ["lo", "eth0"]) ip("-n", name, "link", "set", device, "up");
    }
    for (const address of ["10.78.0.1/24", "10.79.0.1/24"])
      ip("-n", hub, "addr", "add", address, "dev", "br0");
    for (const device of ["lo", "br0"]) ip("-n", hub, "link", "set", device, "up");
    await startServer();
  });
  afterAll(async () => {
    await stage.close();
    server.kill("SIGKILL");
    for (const name of [hub, nas, laptop]) ip("netns", "del", name);
  });

  it("outlasts another address and an unplugged cable", async () => {
    const [mara, receiving, out] = [stage.person(), stage.person(), join(stage.folder, "out")];
    mkdirSync(out);
    const talk = run(laptop, mara, "room", "--name", "Mara");
    const trusting = run(nas, receiving, "trust", await talk.link());
    expect(await trusting.exit()).toBe(0);
    talk.child.stdin?.end();
    await talk.exit();

    const receiver = run(nas, receiving, "receive", "--always", "--from", "Mara", "--dir", out);
    const link = await receiver.link();
    const path = join(stage.folder, "note.txt");
    const sends = async (name: string) => {
      writeFileSync(path, name);
      const sender = run(laptop, mara, "send", path, "--room", link, "--name", "Mara");
      expect(await sender.exit(), `${name}: ${JSON.stringify(receiver.lines)}`).toBe(0);
    };
    await sends("at first");

    ip("-n", nas, "addr", "del", "10.78.0.2/24", "dev", "eth0");
    ip("-n", nas, "addr", "add", "10.79.0.2/24", "dev", "eth0");
    ip("-n", nas, "route", "add", "default", "via", "10.79.0.1");
    await sends("at another address");

    ip("-n", nas, "link", "set", "eth0", "down");
    await receiver.event("server", ({ status }) => status === "reconnecting");
    ip("-n", nas, "link", "set", "eth0", "up");
    ip("-n", nas, "route", "add", "default", "via", "10.79.0.1");
    await receiver.event("server", ({ status }) => status === "online");
    await sends("plugged in again");

    // The sender may know before the receiver has put the file in its place.
    await expect.poll(() => receiver.lines.filter(({ event }) => event === "received")).toHaveLength(3);
    expect(readdirSync(out).length).toBe(3);
    receiver.child.kill("SIGTERM");
    expect(await receiver.exit()).toBe(0);
  });
});
