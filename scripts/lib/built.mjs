import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";
import { run } from "./run.mjs";

const shared = ["package-lock.json", "tsconfig.base.json", "packages/protocol"];

/** The build outputs: the file that a build writes last, and all its sources. */
const builds = [
  {
    workspace: "@warren/web",
    output: "apps/web/dist/index.html.br",
    sources: [...shared, "packages/core", "apps/web"],
  },
  { workspace: "@warren/server", output: "apps/server/dist/main.js", sources: [...shared, "apps/server"] },
  {
    workspace: "@warren/cli",
    output: "apps/cli/dist/package.json",
    sources: [...shared, "packages/core", "apps/server", "apps/cli"],
  },
];

const notSources = new Set(["dist", "node_modules"]);

/**
 * The time of the newest file, ignoring tests: they are in no build.
 * @param {string} path a file or a folder
 * @returns {number} milliseconds since the epoch; 0 when there is nothing
 */
function newestChangeMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  // A folder's own time changes when a file in it is deleted, which also requires a new build.
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !(notSources.has(name) || /\.test\.\w+$/.test(name)))
    .reduce((newest, { name }) => Math.max(newest, newestChangeMs(join(path, name))), stats.mtimeMs);
}

/**
 * Whether an output has to be rebuilt.
 * @param {string} output
 * @param {readonly string[]} sources
 */
export function isOutOfDate(output, sources) {
  const builtMs = newestChangeMs(output);
  return builtMs === 0 || sources.some((source) => newestChangeMs(source) > builtMs);
}

/**
 * Builds workspaces that are missing or older than their sources: by default the web app and the server.
 * @param {readonly string[]} wanted
 * @returns {Promise<number>} the exit code of the first build that failed, else 0
 */
export async function ensureBuilt(wanted = ["@warren/web", "@warren/server"]) {
  for (const { workspace, output, sources } of builds.filter(({ workspace }) => wanted.includes(workspace))) {
    const from = sources.map((source) => join(root, source));
    if (!isOutOfDate(join(root, output), from)) continue;
    console.log(`Building ${workspace} …`);
    const code = await run("npm", ["run", "build", "--silent", "--workspace", workspace]);
    if (code !== 0) return code;
  }
  return 0;
}
