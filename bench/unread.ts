/**
 * Attacks the built server with connections that send requests but read no responses, and measures its memory
 * and the latency of /healthz meanwhile: `tsx bench/unread.ts [connections] [addresses] [seconds] [path of
 * main.js]`, after `npm run build`. The load comes from a separate process on this machine, under addresses
 * that count as a stranger's; /healthz is requested over a new connection each time, from a process that does
 * nothing else.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const requestBytes = 65_000;
/** A closed connection is reopened after this time. */
const comeBackMs = 1_000;
const quietSeconds = 5;

const [role, ...given] = process.argv.slice(2);
if (role === "attack") attack(Number(given[0]), given[1] ?? "/", Number(given[2]), Number(given[3]));
else await measure();

function attack(port: number, path: string, connections: number, addresses: number): void {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const requests = request.repeat(Math.floor(requestBytes / request.length));
  const open = (number: number): void => {
    const localAddress = `127.0.0.${2 + (number % addresses)}`;
    const socket: Socket = connect({ port, host: "127.0.0.1", localAddress }).pause();
    socket.write(requests);
    socket.on("error", () => {});
    socket.on("close", () => setTimeout(() => open(number), comeBackMs));
  };
  for (let number = 0; number < connections; number++) open(number);
  process.on("disconnect", () => process.exit());
}

async function measure(): Promise<void> {
  const connections = Number(process.argv[2] ?? 400);
  const addresses = Math.min(Number(process.argv[3] ?? 1), 250);
  const seconds = Number(process.argv[4] ?? 20);
  const main = process.argv[5] ?? fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url));
  /** With the heap size recommended in docs/self-hosting.md. */
  const server = spawn(process.execPath, ["--max-old-space-size=768", main], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", PRIVATE_ADDRESS_FACTOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  while (!output.includes("\n")) output += String((await once(server.stdout, "data"))[0]);
  const port = Number(/http:\/\/localhost:(\d+)/.exec(output)?.[1]);
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const asset = /\/assets\/[\w-]+\.js/.exec(page)?.[0] ?? "/";

  const residentMib = async () => {
    const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  };
  let peak = await residentMib();
  /** @returns the latencies of /healthz, in order. */
  const ask = async (forSeconds: number) => {
    const took: number[] = [];
    const endsAt = performance.now() + forSeconds * 1_000;
    while (server.exitCode === null && server.signalCode === null && performance.now() < endsAt) {
      took.push(await healthMs(port));
      peak = Math.max(peak, await residentMib());
      await sleep(100);
    }
    return summaryOf(took);
  };

  const before = peak;
  const quiet = await ask(quietSeconds);
  const attackers = fork(
    fileURLToPath(import.meta.url),
    ["attack", String(port), asset, String(connections), String(addresses)],
    { stdio: "inherit" },
  );
  const attacked = await ask(seconds);
  const atEnd = await residentMib();
  const stands = server.exitCode === null && server.signalCode === null;
  attackers.disconnect();
  await once(attackers, "exit");
  process.stdout.write(
    `${connections} connections of ${addresses} addresses for ${seconds} s: memory ${before} MiB before, ${peak} MiB at most, ${atEnd} MiB at the end; ` +
      `/healthz before: ${quiet}; meanwhile: ${attacked}; ` +
      `${stands ? "the server stands" : `the server ended with ${server.exitCode ?? server.signalCode}`}\n`,
  );
  server.kill("SIGTERM");
  await Promise.race([once(server, "exit"), sleep(3_000)]);
  server.kill("SIGKILL");
}

/** @returns Infinity without a successful response within 10 s. */
function healthMs(port: number): Promise<number> {
  const askedAt = performance.now();
  return new Promise((resolve) => {
    const asked = get(`http://127.0.0.1:${port}/healthz`, {
      agent: false,
      signal: AbortSignal.timeout(10_000),
    });
    asked.on("error", () => resolve(Number.POSITIVE_INFINITY));
    asked.on("response", (answer) => {
      answer.on("error", () => {});
      answer.resume();
      resolve(answer.statusCode === 200 ? performance.now() - askedAt : Number.POSITIVE_INFINITY);
    });
  });
}

function summaryOf(took: readonly number[]): string {
  const ordered = [...took].sort((one, other) => one - other);
  const at = (share: number) => (ordered[Math.floor(share * (ordered.length - 1))] ?? 0).toFixed(1);
  const unanswered = ordered.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
  return `${ordered.length} asked, ${unanswered} not answered, ${at(0.5)} ms median, ${at(0.95)} ms p95, ${at(1)} ms at most`;
}
