import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig, settingNames } from "./config.ts";
import { securityHeaders } from "./security-headers.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { makeCertificate } from "./testing/test-certificate.ts";
import { startTestServer } from "./testing/test-server.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

/** Runs a tool's own check on one of the files. @returns its output, and whether it accepts the file */
function check(tool: string, args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    DOMAIN: "warren.example.org",
    RESUME_KEY: "r".repeat(36),
    TURN_SECRET: "s".repeat(36),
  };
  const { status, error, stdout, stderr } = spawnSync(tool, args, { cwd: root, env, encoding: "utf8" });
  return { isInstalled: error === undefined, isTaken: status === 0, output: stdout + stderr };
}

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
}

const compose: { readonly services: Readonly<Record<string, Service>> } = parse(read("compose.yml"), {
  merge: true,
});

describe("compose.yml", () => {
  it("starts Warren with known and valid settings", () => {
    const environment = compose.services.warren?.environment ?? {};
    expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
    const given: Record<string, string> = {
      DOMAIN: "warren.example.org",
      RESUME_KEY: "r".repeat(36),
      TURN_SECRET: "s".repeat(36),
    };
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => given[variable] ?? "missing"),
      ]),
    );
    expect(readConfig(filled)).toMatchObject({
      serverNames: ["warren.example.org"],
      trustedProxyHops: 1,
      redisUrls: ["redis://redis:6379"],
      turn: { urls: ["turn:warren.example.org:3478", "turn:warren.example.org:3478?transport=tcp"] },
    });
  });

  it.runIf(check("docker-compose", ["version"]).isInstalled)("is accepted by docker-compose", () => {
    const { isTaken, output } = check("docker-compose", ["-f", "compose.yml", "config", "-q"]);
    expect(output).toBe("");
    expect(isTaken).toBe(true);
  });

  it("mounts existing files", () => {
    const files = Object.values(compose.services).flatMap(({ volumes }) =>
      (volumes ?? []).filter((volume) => volume.startsWith("./")).map((volume) => volume.split(":")[0] ?? ""),
    );
    expect(files).toHaveLength(2);
    for (const file of files) expect(read(file)).not.toBe("");
  });
});

it.runIf(check("caddy", ["version"]).isInstalled)("the Caddyfile is accepted by caddy", () => {
  const file = fileURLToPath(new URL("deploy/Caddyfile", root));
  const { isTaken, output } = check("caddy", ["validate", "--adapter", "caddyfile", "--config", file]);
  expect(output).toContain("Valid configuration");
  expect(isTaken).toBe(true);
});

describe("the Dockerfile", () => {
  const dockerfile = read("Dockerfile");

  it("checks the server's health over http and https, and treats no answer as a failure", async () => {
    const [, words = "[]"] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [, ...args]: readonly string[] = JSON.parse(words);
    const ask = async (env: Record<string, string>) => {
      const [code] = await once(spawn(process.execPath, args, { env }), "exit");
      return code;
    };
    const tls = await makeCertificate("DNS:warren.example.org");
    await using open = await startTestServer({ host: "127.0.0.1" });
    await using secure = await startTestServer({
      host: "127.0.0.1",
      tls,
      clock: new ManualClock(Date.now()),
    });
    expect(await ask({ PORT: String(open.port) })).toBe(0);
    expect(await ask({ PORT: String(secure.port), TLS_CERT: tls.certFile })).toBe(0);
    expect(await ask({ PORT: String(secure.port) })).toBe(1);
    await open.stop(0);
    expect(await ask({ PORT: String(open.port) })).toBe(1);
  });

  it("copies the package file of every workspace before packages are fetched", () => {
    const lockfile: { packages: Record<string, unknown> } = JSON.parse(read("package-lock.json"));
    const workspaces = Object.keys(lockfile.packages).filter(
      (path) => path !== "" && !path.includes("node_modules"),
    );
    const before = dockerfile.slice(0, dockerfile.indexOf("RUN npm ci"));
    const missing = workspaces.filter((path) => !before.includes(`COPY ${path}/package.json ${path}/\n`));
    expect(missing).toEqual([]);
  });
});

it("the table of docs/self-hosting.md has exactly the variables that are read, with their readers", () => {
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const buildFiles = [
    "vite.config.ts",
    ...readdirSync(new URL("apps/web/build", root)).map((file) => `build/${file}`),
  ];
  const build = buildFiles.map((file) => read(`apps/web/${file}`)).join("\n");
  const readBy = {
    build: names(build, /\benv\.([A-Z][A-Z_0-9]+)/g),
    compose: names(read("compose.yml"), /\$\{(\w+)/g),
    server: settingNames,
  };
  const readers = new Map<string, string>();
  for (const [who, variables] of Object.entries(readBy))
    for (const name of new Set(variables))
      readers.set(name, [readers.get(name) ?? [], who].flat().join(", "));
  const table = [...read("docs/self-hosting.md").matchAll(/^\| `([A-Z][A-Z_0-9]+)` \| ([a-z, ]+) \|/gm)];
  expect(Object.fromEntries(table.map(([, name, who]) => [name, who]))).toEqual(Object.fromEntries(readers));
  expect(table).toHaveLength(readers.size);
  expect(names(read("Dockerfile"), /^ARG (\w+)/gm).filter((name) => !readBy.build.includes(name))).toEqual(
    [],
  );
});

it("docs/self-hosting.md lists the server's headers for static hosts, with the policy of workers", () => {
  const headers = securityHeaders(
    { headers: {}, url: "/assets/transfer-worker-abc.js" },
    readConfig({ CONNECT_SRC: "wss://signal.example.org" }),
  );
  const block = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
  expect(read("docs/self-hosting.md")).toContain(`\n/*\n${block.join("")}\`\`\``);
});
