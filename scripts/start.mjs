import { ensureBuilt } from "./lib/built.mjs";
import { ensureInstalled } from "./lib/installed.mjs";
import { requireSupportedNode } from "./lib/node-version.mjs";
import { serverEntry } from "./lib/project.mjs";
import { exitCodeOf, forwardSignals, start } from "./lib/run.mjs";

requireSupportedNode();

const preparationCode = (await ensureInstalled()) || (await ensureBuilt());
if (preparationCode !== 0) process.exit(preparationCode);

const server = start(process.execPath, ["--enable-source-maps", serverEntry]);
forwardSignals([server]);
process.exit(await exitCodeOf(server));
