import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const thisCheckout = fileURLToPath(new URL("../../", import.meta.url));

export interface ServedApp {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Serves another build: a checkout's, whose dependencies are installed, or one that an address names. */
export async function openOther(checkoutOrUrl: string): Promise<ServedApp> {
  return URL.canParse(checkoutOrUrl)
    ? { url: checkoutOrUrl, stop: () => Promise.resolve() }
    : startApp(resolve(checkoutOrUrl));
}

/** Builds the app of a checkout, by default this one, and serves it on this machine. */
export async function startApp(checkout = thisCheckout): Promise<ServedApp> {
  const folder = await mkdtemp(join(tmpdir(), "warren-bench-web-"));
  await promisify(execFile)("npx", ["vite", "build", "--outDir", folder, "--logLevel", "error"], {
    cwd: join(checkout, "apps/web"),
  });
  // As `npm run build` does; a build from before that has no such script.
  const precompress = resolve(checkout, "scripts/precompress.mjs");
  if (existsSync(precompress)) await promisify(execFile)(process.execPath, [precompress, folder]);
  const child = spawn(process.execPath, ["--import", "tsx", "apps/server/src/main.ts"], {
    cwd: checkout,
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
