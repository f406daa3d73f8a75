import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig, settingNames } from "./config.ts";
import { securityHeaders } from "./security-headers.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
}

const compose: { readonly services: Readonly<Record<string, Service>> } = parse(read("compose.yml"));

describe("compose.yml", () => {
  it("starts Warren with settings it knows and takes", () => {
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

  it("mounts files that are there", () => {
    const files = Object.values(compose.services).flatMap(({ volumes }) =>
      (volumes ?? []).filter((volume) => volume.startsWith("./")).map((volume) => volume.split(":")[0] ?? ""),
    );
    expect(files).toHaveLength(2);
    for (const file of files) expect(read(file)).not.toBe("");
  });
});

it("the table of docs/self-hosting.md has every variable that is read, with who reads it, and no other", () => {
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

it("docs/self-hosting.md gives static hosts the headers of the server, with what workers may", () => {
  const headers = securityHeaders(
    { headers: {}, url: "/assets/transfer-worker-abc.js" },
    readConfig({ CONNECT_SRC: "wss://signal.example.org" }),
  );
  const block = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
  expect(read("docs/self-hosting.md")).toContain(`\n/*\n${block.join("")}\`\`\``);
});
