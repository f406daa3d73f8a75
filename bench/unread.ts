/**
 * Attacks the built server with connections that send requests but read no responses. Measures its memory, that of the
 * system's TCP buffers, the latency of /healthz and of the largest script, and whether a client that reads 20 kB a second
 * gets that: `tsx bench/unread.ts [connections] [addresses] [seconds] [requests] [path of main.js]`, after `npm run build`.
 * By default a connection sends as many requests as fit 65 kB, for which the server closes it; it answers up to 4. The
 * load comes from a separate process on this machine, under addresses that count as a stranger's; the others are requests
 * over new connections, from a process that does nothing else.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const requestBytes = 65_000;
/** A closed connection is reopened after this time. */
const comeBackMs = 1_000;
const quietSeconds = 5;
const pageBytes = 4_096;

const [role, ...given] = process.argv.slice(2);
if (role === "attack")
  attack(Number(given[0]), given[1] ?? "/", Number(given[2]), Number(given[3]), Number(given[4]));
else await measure();

function attack(port: number, path: string, connections: number, addresses: number, count: number): void {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const requests = request.repeat(count || Math.floor(requestBytes / request.length));
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
  const requests = Number(process.argv[5] ?? 0);
  const main = process.argv[6] ?? fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url));
  /** With the heap size recommended in docs/self-hosting.md. */
  const server = spawn(process.execPath, ["--max-old-space-size=768", main], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", PRIVATE_ADDRESS_FACTOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  while (!output.includes("\n")) output += String((await once(server.stdout, "data"))[0]);
  const port = Number(/http:\/\/localhost:(\d+)/.exec(output)?.[1]);
  const asset = (await largestAsset()) ?? "/";

  const residentMib = async () => {
    const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  };
  let peak = await residentMib();
  let kernelPeak = await kernelMib();
  /** @returns the latencies of /healthz and of the file. */
  const ask = async (forSeconds: number) => {
    const endsAt = performance.now() + forSeconds * 1_000;
    const series = async (path: string) => {
      const took: number[] = [];
      while (server.exitCode === null && server.signalCode === null && performance.now() < endsAt) {
        took.push(await answerMs(port, path));
        peak = Math.max(peak, await residentMib());
        kernelPeak = Math.max(kernelPeak, await kernelMib());
        await sleep(100);
      }
      return summaryOf(took);
    };
    const [health, file, slow] = await Promise.all([series("/healthz"), series(asset), slowMs(port, asset)]);
    return `/healthz ${health}; the file ${file}; read slowly ${(slow / 1_000).toFixed(1)} s`;
  };

  const before = peak;
  const quiet = await ask(quietSeconds);
  const attackers = fork(
    fileURLToPath(import.meta.url),
    ["attack", String(port), asset, String(connections), String(addresses), String(requests)],
    { stdio: "inherit" },
  );
  const attacked = await ask(seconds);
  const atEnd = await residentMib();
  const stands = server.exitCode === null && server.signalCode === null;
  attackers.disconnect();
  await once(attackers, "exit");
  process.stdout.write(
    `${connections} connections of ${addresses} addresses for ${seconds} s: memory ${before} MiB before, ${peak} MiB at most, ${atEnd} MiB at the end, ` +
      `TCP buffers ${kernelPeak} MiB at most; before: ${quiet}; meanwhile: ${attacked}; ` +
      `${stands ? "the server stands" : `the server ended with ${server.exitCode ?? server.signalCode}`}\n`,
  );
  server.kill("SIGTERM");
  await Promise.race([once(server, "exit"), sleep(3_000)]);
  server.kill("SIGKILL");
}

/** The path of the largest script of the built app. */
async function largestAsset(): Promise<string | undefined> {
  const folder = new URL("../apps/web/dist/assets/", import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const sizes = await Promise.all(names.map(async (name) => (await stat(new URL(name, folder))).size));
  const largest = names[sizes.indexOf(Math.max(...sizes))];
  return largest && `/assets/${largest}`;
}

/** What the system's TCP buffers hold, those of both ends of each connection. */
async function kernelMib(): Promise<number> {
  const stats = await readFile("/proc/net/sockstat", "utf8").catch(() => "");
  return Math.round((Number(/^TCP:.* mem (\d+)/m.exec(stats)?.[1] ?? 0) * pageBytes) / 1024 ** 2);
}

/** @returns Infinity without a whole, successful response within 20 s. */
function answerMs(port: number, path: string): Promise<number> {
  const askedAt = performance.now();
  return new Promise((resolve) => {
    const fail = () => resolve(Number.POSITIVE_INFINITY);
    const asked = get(`http://127.0.0.1:${port}${path}`, {
      agent: false,
      signal: AbortSignal.timeout(20_000),
    });
    asked.on("error", fail);
    asked.on("response", (answer) => {
      answer.on("error", fail);
      answer.on("end", () => (answer.statusCode === 200 ? resolve(performance.now() - askedAt) : fail()));
      answer.resume();
    });
  });
}

/** @returns Infinity unless a client that reads 4 kB five times a second gets the whole file. */
function slowMs(port: number, path: string): Promise<number> {
  const askedAt = performance.now();
  const socket = connect({ port, host: "127.0.0.1" }).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return new Promise((resolve) => {
    let received = "";
    const timer = setInterval(() => {
      received += (socket.read(4_096) ?? socket.read() ?? "").toString("latin1");
      const [head = "", body] = received.split("\r\n\r\n", 2);
      const isWhole = body !== undefined && received.length - head.length - 4 >= lengthIn(head);
      if (!isWhole && !socket.destroyed) return;
      clearInterval(timer);
      socket.destroy();
      resolve(isWhole ? performance.now() - askedAt : Number.POSITIVE_INFINITY);
    }, 200);
    socket.on("error", () => {});
  });
}

function lengthIn(head: string): number {
  return Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
}

function summaryOf(took: readonly number[]): string {
  const ordered = [...took].sort((one, other) => one - other);
  const at = (share: number) => (ordered[Math.floor(share * (ordered.length - 1))] ?? 0).toFixed(1);
  const unanswered = ordered.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
  return `${ordered.length} asked, ${unanswered} not answered, ${at(0.5)} ms median, ${at(0.95)} ms p95, ${at(1)} ms at most`;
}
