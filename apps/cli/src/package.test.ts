import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { Stage } from "./testing/program.ts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const webrtc = fileURLToPath(new URL("../../../node_modules/node-datachannel", import.meta.url));

const stage = new Stage();
afterAll(() => stage.close());

it("packs into one file that installs into an empty folder and runs there, server and all", async () => {
  const cwd = join(stage.folder, "empty");
  mkdirSync(cwd);
  const npm = (...args: string[]) => execFileSync("npm", [...args, "--silent", "--offline"], { cwd });
  npm("pack", dist);
  const [packed = ""] = readdirSync(cwd);
  // The one package that it needs is taken from here, since tests use no network.
  const overrides = { "node-datachannel": `file:${webrtc}` };
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({ dependencies: { "warren-cli": `file:${packed}` }, overrides }),
  );
  npm("install", "--no-audit", "--no-fund");
  const installed = join(cwd, "node_modules", "warren-cli");
  expect(readdirSync(installed).filter((name) => name.endsWith(".map"))).toEqual([]);
  expect(readFileSync(join(installed, "warren.1"), "utf8")).toContain(".TH WARREN 1");
  const program = join(cwd, "node_modules", ".bin", "warren");

  const server = await stage.server({ copy: program });
  writeFileSync(join(cwd, "letter.txt"), "packed");
  const start = { cwd, program, env: { WARREN_SERVER: server.url } };
  const flags = ["--json", "--stun", "none"];
  const sender = stage.run(["send", "letter.txt", ...flags], { ...start, data: stage.person() });
  const receiver = stage.run(["receive", await sender.link(), "--yes", "--dir", "out", ...flags], {
    ...start,
    data: stage.person(),
  });
  expect([await sender.exit(), await receiver.exit()]).toEqual([0, 0]);
  expect(readFileSync(join(cwd, "out", "letter.txt"), "utf8")).toBe("packed");
});
