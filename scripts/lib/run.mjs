import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./project.mjs";

const isWindows = process.platform === "win32";

/**
 * Starts a command in the repository's root, with the commands of installed packages on its path.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} [env] added to this process's environment
 */
export function start(command, args, env = {}) {
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  return spawn(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: path, ...env },
    // npm and the packages' commands are batch files on Windows, which require a shell.
    shell: isWindows && command !== process.execPath,
  });
}

/**
 * Waits for a process to end.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>} its exit code; 128 + the signal number after a signal, 127 if it could not start
 */
export function exitCodeOf(child) {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`${child.spawnfile}: ${error.message}`);
      resolve(127);
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Runs a command and waits for it to end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<number>} the exit code
 */
export function run(command, args, env) {
  return exitCodeOf(start(command, args, env));
}

const parentCheckMs = 500;

/**
 * Forwards termination signals. A terminal also sends Ctrl+C to the children, and a server that receives it
 * twice does not wait for its clients, so in that case the signal is left to the terminal.
 * @param {readonly import("node:child_process").ChildProcess[]} children
 */
export function forwardSignals(children) {
  /** @param {NodeJS.Signals} signal */
  const killAll = (signal) => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) killAll(signal);
    });
  }
  // The shell between npm and a script dies of SIGTERM without forwarding it; this process only sees a new parent.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    killAll("SIGTERM");
  }, parentCheckMs);
  check.unref();
}
