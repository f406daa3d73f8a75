import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOf, trees } from "./lib/directions.mjs";
import { root } from "./lib/project.mjs";

const faults = Object.keys(trees).flatMap((tree) =>
  readdirSync(join(root, tree), { recursive: true, encoding: "utf8" })
    .map((path) => `${tree}/${path.replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => faultsOf(file, readFileSync(join(root, file), "utf8"))),
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
