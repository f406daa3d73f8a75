import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { replaceFolder } from "../../../scripts/lib/replace-folder.mjs";

// Builds the program as a package of its own: a folder that `npm pack` takes as it is. It is made beside the one that is there
// and then takes its place file by file, so that programs which run or start meanwhile find all of theirs.

/** @param {string} path relative to this workspace */
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const own = JSON.parse(readFileSync(at("package.json"), "utf8"));
const { license, repository, engines } = JSON.parse(readFileSync(at("../../package.json"), "utf8"));

mkdirSync(at("dist"), { recursive: true });
const made = mkdtempSync(at("dist/.build-"));
try {
  await build({ root: at("."), logLevel: "warn", build: { outDir: made } });
  chmodSync(join(made, "warren.js"), 0o755);
  writeFileSync(join(made, "warren.1"), execFileSync(process.execPath, [join(made, "warren.js"), "man"]));
  copyFileSync(at("../../LICENSE"), join(made, "LICENSE"));
  copyFileSync(at("../../docs/terminal.md"), join(made, "README.md"));
  if (existsSync(at("../web/dist"))) cpSync(at("../web/dist"), join(made, "web"), { recursive: true });
  replaceFolder(at("dist"), made, (name) => name === "package.json" || name.startsWith(".build-"));
  // Last: by its time it is known whether the build is up to date.
  writeFileSync(join(made, "package.json"), manifest());
  renameSync(join(made, "package.json"), at("dist/package.json"));
} finally {
  rmSync(made, { recursive: true, force: true });
}

function manifest() {
  return `${JSON.stringify(
    {
      name: "warren-cli",
      version: own.version,
      description: "Rooms between terminals and browsers: files and texts, straight from one to the other.",
      license,
      repository,
      engines,
      type: "module",
      bin: { warren: "warren.js" },
      man: "warren.1",
      files: ["*", "!**/*.map", "!.build-*"],
      dependencies: { "node-datachannel": own.dependencies["node-datachannel"] },
    },
    null,
    2,
  )}\n`;
}
