import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const web = fileURLToPath(new URL("../../apps/web", import.meta.url));
const server = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));

/** Builds the current app and serves it on this machine. */
export async function startApp(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "warren-bench-web-"));
  await promisify(execFile)("npx", ["vite", "build", "--outDir", folder, "--logLevel", "error"], {
    cwd: web,
  });
  const child = spawn(process.execPath, ["--import", "tsx", server], {
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: "0",
      WEB_ROOT: folder,
      LOG_LEVEL: "error",
      // The browsers share the machine, and their CPU usage must not count as overload.
      MAX_LAG_MS: "60000",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    child.kill("SIGINT");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await rm(folder, { recursive: true });
  };
  let output = "";
  for (;;) {
    const [chunk] = await once(child.stdout, "data");
    output += String(chunk);
    const port = /http:\/\/localhost:(\d+)/.exec(output)?.[1];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}/`, stop };
  }
}
