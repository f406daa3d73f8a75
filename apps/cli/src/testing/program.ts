import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/warren.js", import.meta.url));
const serverEntry = fileURLToPath(new URL("../../../server/dist/main.js", import.meta.url));
const waitMs = 45_000;

/** What {@link Start.within} needs so that permissions bind a program that root runs, as they bind everybody else. */
export const boundByPermissions: readonly string[] =
  process.getuid?.() === 0
    ? ["setpriv", ...["bounding-set", "inh-caps"].map((set) => `--${set}=-dac_override,-dac_read_search`)]
    : [];

/** A line of `--json`. */
export type Line = { readonly event: string } & Readonly<Record<string, unknown>>;

/** The rest is still being written. */
const wholeLines = (text: string): readonly string[] => text.split("\n").slice(0, -1);

export interface Start {
  /** The folder of its data; two programs with the same one are the same person. */
  readonly data: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What stdin holds; a pipe that stays open if absent. */
  readonly stdin?: string | Uint8Array;
  /** Runs it at a terminal of its own, whose lines are its stdout. */
  readonly terminal?: boolean;
  /** The words of a command that runs it, such as one that enters another network. */
  readonly within?: readonly string[];
  /** Another copy of the program. */
  readonly program?: string;
}

/** The built program, run as a child process. */
export class Program {
  readonly child: ChildProcess;
  readonly #stdout: Buffer[] = [];
  #stderr = "";
  /** What was made of as much output. */
  #read: { readonly outputs: number; readonly lines: readonly Line[] } = { outputs: 0, lines: [] };
  readonly #ended: Promise<number | null>;

  constructor(args: readonly string[], start: Start) {
    const env = { ...process.env, NO_COLOR: "1", ...start.env, XDG_DATA_HOME: start.data };
    const line = [...(start.within ?? []), process.execPath, start.program ?? program, ...args];
    // Without exec, dash stays between the two, and ends by a Ctrl-C itself.
    const command = `exec ${line.map((word) => `'${word}'`).join(" ")}`;
    const [file = "", ...words] = start.terminal ? ["script", "-qec", command, "/dev/null"] : line;
    this.child = spawn(file, words, {
      env,
      ...(start.cwd && { cwd: start.cwd }),
    });
    this.child.stdout?.on("data", (chunk: Buffer) => this.#stdout.push(chunk));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.child.stdin?.on("error", () => {}); // it may end before it has read everything
    if (start.stdin !== undefined) this.child.stdin?.end(start.stdin);
    this.#ended = once(this.child, "close").then(([code]) => code as number | null);
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  get stderr(): string {
    return this.#stderr;
  }

  get lines(): readonly Line[] {
    const outputs = this.#stdout.length + this.#stderr.length;
    if (outputs !== this.#read.outputs) this.#read = { outputs, lines: this.#linesSoFar() };
    return this.#read.lines;
  }

  #linesSoFar(): readonly Line[] {
    // A file that goes there would be searched again and again.
    const start = this.#stdout[0]?.subarray(0, 8).toString();
    return [...(start === '{"event"' ? wholeLines(this.stdout.toString()) : []), ...wholeLines(this.#stderr)]
      .filter((line) => line.startsWith('{"event"'))
      .map((line) => JSON.parse(line) as Line);
  }

  /** Its exit code. */
  async exit(): Promise<number | null> {
    const ended = await Promise.race([this.#ended, sleep(waitMs, "late" as const, { ref: false })]);
    if (ended !== "late") return ended;
    this.child.kill("SIGKILL");
    throw new Error(`the program did not end:\n${this.stdout}\n${this.#stderr}`);
  }

  /** Resolves with the first line of an event that matches. */
  async event(event: string, matches: (line: Line) => boolean = () => true): Promise<Line> {
    const deadlineMs = performance.now() + waitMs;
    while (performance.now() < deadlineMs) {
      const found = this.lines.find((line) => line.event === event && matches(line));
      if (found) return found;
      if (this.child.exitCode !== null) break;
      await sleep(20);
    }
    throw new Error(`there was no event ${event}:\n${this.stdout}\n${this.#stderr}`);
  }

  /** The link that it shows. */
  async link(): Promise<string> {
    return String((await this.event("link")).link);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#ended;
  }
}

export interface ServerStart {
  readonly port?: number;
  /** Of the program, whose server it is. */
  readonly copy?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The programs, folders and servers of a test file; {@link close} ends and deletes them. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), "warren-cli-"));
  readonly #programs: Program[] = [];
  readonly #servers: ChildProcess[] = [];
  #people = 0;

  /** Somebody with an empty folder of data. */
  person(): string {
    return join(this.folder, `person-${this.#people++}`);
  }

  run(args: readonly string[], start: Start): Program {
    const started = new Program(args, start);
    this.#programs.push(started);
    return started;
  }

  /** Another program, which ends with the stage. */
  runs(command: string, ...args: string[]): void {
    this.#servers.push(spawn(command, args, { stdio: "ignore" }));
  }

  /** The built server, or that of another copy of the program. @returns its address, and how to kill it and start it again */
  async server(start: ServerStart = {}): Promise<{ url: string; port: number; kill(): Promise<void> }> {
    const free = start.port ?? (await freePort());
    const args = start.copy === undefined ? [serverEntry] : [start.copy, "serve"];
    const env = { ...process.env, PORT: String(free), HOST: "127.0.0.1", MAX_LAG_MS: "60000", ...start.env };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
    this.#servers.push(child);
    await once(child.stdout, "data");
    const kill = async () => {
      const ended = once(child, "close");
      if (child.exitCode === null && child.kill("SIGKILL")) await ended;
    };
    return { url: `http://127.0.0.1:${free}`, port: free, kill };
  }

  async close(): Promise<void> {
    for (const { child } of this.#programs) if (child.exitCode === null) child.kill("SIGKILL");
    for (const child of this.#servers) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
