import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Makes the built program a package of its own: a folder that `npm pack` takes as it is.

/** @param {string} path relative to this workspace */
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const own = JSON.parse(readFileSync(at("package.json"), "utf8"));
const { license, repository, engines } = JSON.parse(readFileSync(at("../../package.json"), "utf8"));

writeFileSync(
  at("dist/package.json"),
  `${JSON.stringify(
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
      files: ["*", "!**/*.map"],
      dependencies: { "node-datachannel": own.dependencies["node-datachannel"] },
    },
    null,
    2,
  )}\n`,
);
chmodSync(at("dist/warren.js"), 0o755);
writeFileSync(at("dist/warren.1"), execFileSync(process.execPath, [at("dist/warren.js"), "man"]));
copyFileSync(at("../../LICENSE"), at("dist/LICENSE"));
copyFileSync(at("../../docs/terminal.md"), at("dist/README.md"));
if (existsSync(at("../web/dist"))) cpSync(at("../web/dist"), at("dist/web"), { recursive: true });
