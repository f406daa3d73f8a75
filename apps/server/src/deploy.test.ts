import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig, settingNames } from "./config.ts";
import { securityHeaders } from "./security-headers.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

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

it("the table of docs/self-hosting.md has every variable, and no other", () => {
  const table = [...read("docs/self-hosting.md").matchAll(/^\| `([A-Z][A-Z_0-9]+)` \|/gm)].map(
    (row) => row[1],
  );
  expect(table.toSorted()).toEqual([...settingNames].toSorted());
});

it("docs/self-hosting.md gives static hosts the headers of the server, with what workers may", () => {
  const headers = securityHeaders(
    { headers: {}, url: "/assets/transfer-worker-abc.js" },
    readConfig({ CONNECT_SRC: "wss://signal.example.org" }),
  );
  const block = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
  expect(read("docs/self-hosting.md")).toContain(`\n/*\n${block.join("")}\`\`\``);
});
