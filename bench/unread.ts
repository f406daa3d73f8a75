/**
 * Attacks the built server with connections that send requests and read no answer, and measures its memory and how long
 * /healthz takes meanwhile: `tsx bench/unread.ts [connections] [addresses] [seconds] [path of main.js]`, after `npm run
 * build`. The load comes from this machine, under addresses of its own, which count as a stranger's.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const connections = Number(process.argv[2] ?? 400);
const addresses = Math.min(Number(process.argv[3] ?? 1), 250);
const seconds = Number(process.argv[4] ?? 20);
const main = process.argv[5] ?? fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url));
const requestBytes = 65_000;
const openAtOnce = 1_000;

/** With the heap that docs/self-hosting.md names. */
const server = spawn(process.execPath, ["--max-old-space-size=768", main], {
  env: { ...process.env, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", PRIVATE_ADDRESS_FACTOR: "1" },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(server, "exit").then(([code, signal]) => String(code ?? signal));
let hasEnded = false;
ended.then(() => {
  hasEnded = true;
});
let output = "";
while (!output.includes("\n")) output += String((await once(server.stdout, "data"))[0]);
const port = Number(/http:\/\/localhost:(\d+)/.exec(output)?.[1]);
const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
const asset = /\/assets\/[\w-]+\.js/.exec(page)?.[0] ?? "/";
const request = `GET ${asset} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const requests = request.repeat(Math.floor(requestBytes / request.length));

async function residentMib(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

const held = new Set<Socket>();
function attack(number: number): void {
  const localAddress = `127.0.0.${2 + (number % addresses)}`;
  const socket = connect({ port, host: "127.0.0.1", localAddress }).pause();
  held.add(socket);
  socket.write(requests);
  socket.on("error", () => {});
  socket.on("close", () => {
    held.delete(socket);
    if (!isOver) setTimeout(() => attack(number), 1_000); // whoever is closed comes back
  });
}

let isOver = false;
const before = await residentMib();
let peak = before;
const healthMs: number[] = [];
const startedAt = performance.now();
let opened = 0;
while (!hasEnded && performance.now() - startedAt < seconds * 1_000) {
  for (let i = 0; i < openAtOnce && opened < connections; i++, opened++) attack(opened);
  const askedAt = performance.now();
  const healthy = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(10_000),
  }).then(
    (answer) => answer.ok,
    () => false,
  );
  healthMs.push(healthy ? performance.now() - askedAt : Number.POSITIVE_INFINITY);
  peak = Math.max(peak, await residentMib());
  await sleep(100);
}
const lasted = Math.round((performance.now() - startedAt) / 1_000);
const atEnd = await residentMib();
isOver = true;
healthMs.sort((one, other) => one - other);
const at = (share: number) => (healthMs[Math.floor(share * (healthMs.length - 1))] ?? 0).toFixed(1);
process.stdout.write(
  `${opened} connections of ${addresses} addresses: memory ${before} MiB before, ${peak} MiB at most, ${atEnd} MiB after ${lasted} s; ` +
    `/healthz ${at(0.5)} ms median, ${at(0.95)} ms p95, ${at(1)} ms at most; ` +
    `${hasEnded ? `the server ended with ${await ended}` : "the server stands"}\n`,
);
for (const socket of held) socket.destroy();
server.kill("SIGKILL");
