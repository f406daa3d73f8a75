import { pino } from "pino";
import { announcement } from "./announce.ts";
import { ConfigError, misspeltSettings, readConfig, type ServerConfig } from "./config.ts";
import { createServer, type SignallingServer } from "./server.ts";

/** The process ends after this time even if something hangs. */
const exitWithinMs = 30_000;

/** The address the server could not listen on, and the prefix of the settings that define it. */
interface Listening {
  readonly port: number;
  readonly host: string;
  readonly prefix: "" | "METRICS_" | "HTTP_";
}

const listenErrors: Readonly<Record<string, (at: Listening) => string>> = {
  EADDRINUSE: ({ port, prefix }) =>
    `Port ${port} is already in use: stop what uses it or set ${prefix}PORT to another one.`,
  EACCES: ({ port, prefix }) =>
    `Port ${port} may not be used by this account: set ${prefix}PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host, prefix }) =>
    `This machine has no address ${host}: set ${prefix}HOST to one it has.`,
  ENOTFOUND: ({ host, prefix }) => `${host} is no address: set ${prefix}HOST to one of this machine.`,
};

function exitWith(sentences: readonly string[]): never {
  process.stderr.write(`${sentences.join("\n")}\n`);
  process.exit(1);
}

/** Reads the settings; unusable ones end the process with a sentence for each. */
function exitOnMistake(error: unknown): never {
  if (error instanceof ConfigError) exitWith(error.problems);
  throw error;
}

function readConfigOrExit(): ServerConfig {
  try {
    return readConfig(process.env);
  } catch (error) {
    return exitOnMistake(error);
  }
}

const config = readConfigOrExit();
// Messages for people go to stdout, logs as JSON to stderr. At a terminal, only warnings and errors are logged.
const level = config.logLevel ?? (process.stderr.isTTY ? "warn" : "info");
const log = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
for (const hint of misspeltSettings(process.env)) log.warn(hint);
const server: SignallingServer = await createServer(config, { log }).catch(exitOnMistake);

let isStopping = false;
function stop(drainMs: number, exitCode: number): void {
  // A second signal stops at once.
  if (isStopping) process.exit(exitCode);
  isStopping = true;
  setTimeout(() => process.exit(exitCode), exitWithinMs).unref();
  server.stop(drainMs).then(
    () => process.exit(exitCode),
    () => process.exit(1),
  );
}

process.on("SIGTERM", () => stop(config.drainMs, 0));
process.on("SIGINT", () => stop(0, 0));
// At a terminal, SIGHUP means that the terminal was closed.
if (config.tls && !process.stdout.isTTY) process.on("SIGHUP", () => void server.rereadCertificate());
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, "unexpected error, stopping");
    stop(config.drainMs, 1);
  });
}

try {
  const { port, metricsPort, httpPort } = await server.listen();
  process.stdout.write(announcement({ ...server, host: config.host, port }));
  log.info({ port, metricsPort, httpPort }, "listening");
} catch (error) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const explain = listenErrors[code];
  if (!explain) throw error;
  const { metrics, port, host, httpPort } = config;
  const taken = error instanceof Error && "port" in error && error.port !== port ? error.port : undefined;
  if (metrics && taken === metrics.port) exitWith([explain({ ...metrics, prefix: "METRICS_" })]);
  if (httpPort !== undefined && taken === httpPort)
    exitWith([explain({ port: httpPort, host, prefix: "HTTP_" })]);
  exitWith([explain({ port, host, prefix: "" })]);
}
