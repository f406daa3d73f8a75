import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { findProcess, ProcessTree } from "./process-tree.ts";

const executable = process.env.CHROMIUM_PATH || "/usr/bin/chromium";

/** A person with a browser process and a profile on disk, as real users have. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly processes: ProcessTree;
  close(): Promise<void>;
}

/** Starts a browser with a temporary profile. */
export async function openBrowser(): Promise<Person> {
  const profile = await mkdtemp(join(tmpdir(), "warren-bench-"));
  const context = await chromium.launchPersistentContext(profile, {
    ...(existsSync(executable) ? { executablePath: executable } : {}),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      // Playwright asks V8 for the stack of every Error, which then parses the whole file again for its source positions:
      // up to 24 ms of a meeting that no person waits for.
      "--js-flags=--no-enable-lazy-source-positions",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // mDNS names instead of addresses require multicast, which few test machines support.
      "--disable-features=WebRtcHideLocalIpsWithMdns",
    ],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    context,
    page,
    processes: new ProcessTree(await findProcess(`--user-data-dir=${profile}`)),
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Waits until the browsers of some people have nothing left to do, for example no copy of the file just sent: copies of files of
 * up to 64 MiB begin 0.5 to 4.5 s after their offer. Rejects after a minute.
 */
export async function untilIdle(people: readonly Person[]): Promise<void> {
  const stepMs = 500;
  await setTimeout(3_000);
  let quietSteps = 0;
  let before = await cpuOf(people);
  for (let step = 0; step < 120 && quietSteps < 2; step++) {
    await setTimeout(stepMs);
    const now = await cpuOf(people);
    // Threads that have ended are no longer counted.
    quietSteps = Math.abs(now - before) < 0.1 * stepMs ? quietSteps + 1 : 0;
    before = now;
  }
  if (quietSteps < 2) throw new Error("the browsers are still busy");
}

/** The CPU time used so far by the browsers of some people, in ms. */
export async function cpuOf(people: readonly Person[]): Promise<number> {
  const times = await Promise.all(people.map(({ processes }) => processes.cpuMs()));
  return times.reduce((sum, timeMs) => sum + timeMs, 0);
}
