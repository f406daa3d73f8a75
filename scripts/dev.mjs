import { ensureInstalled } from "./lib/installed.mjs";
import { requireSupportedNode } from "./lib/node-version.mjs";
import { exitCodeOf, forwardSignals, start } from "./lib/run.mjs";

requireSupportedNode();

const installCode = await ensureInstalled();
if (installCode !== 0) process.exit(installCode);

const port = process.env.PORT || "8080";
const serverUrl = `http://localhost:${port}`;
const children = [
  start("tsx", ["watch", "--clear-screen=false", "apps/server/src/main.ts"], { PORT: port }),
  start("vite", ["apps/web"], { WARREN_SERVER_URL: serverUrl }),
];
forwardSignals(children);

// If one exits, stop both: neither works alone.
const exits = children.map(exitCodeOf);
const firstCode = await Promise.race(exits);
for (const child of children) child.kill();
await Promise.all(exits);
process.exit(firstCode);
