import { createRequire } from "node:module";
import type { CompatData, CompatStatement, Identifier } from "@mdn/browser-compat-data";
import { parseAst } from "vite";
import { compatMinimum } from "./minimum-browsers.ts";

// Not imported, because the tests would send its 20 MB through Vite.
const compatData: CompatData = createRequire(import.meta.url)("@mdn/browser-compat-data");

/** Whether every browser supports a feature by a version, without a flag, a prefix or another name. */
function isInAll(
  { support }: CompatStatement,
  versionOf: (browser: keyof typeof compatMinimum) => string,
): boolean {
  return (Object.keys(compatMinimum) as (keyof typeof compatMinimum)[]).every((browser) =>
    [support[browser] ?? []].flat().some((statement) => {
      const version = versionOf(browser);
      const isPlain = !statement.flags && !statement.prefix && !statement.alternative_name;
      return (
        isPlain && isUpTo(statement.version_added, version) && !isUpTo(statement.version_removed, version)
      );
    }),
  );
}

function isUpTo(version: string | false | null | undefined, limit: string): boolean {
  if (!version || version === "preview") return false;
  const [major = 0, minor = 0] = version.replace("≤", "").split(".").map(Number);
  const [limitMajor = 0, limitMinor = 0] = limit.split(".").map(Number);
  return major < limitMajor || (major === limitMajor && minor <= limitMinor);
}

/**
 * Whether a feature is newer than the minimum but supported by every current browser. Features that some
 * current browser lacks are not reported: code has to detect them anyway, and the tests in Firefox and
 * Chromium find where it does not.
 */
function isNewer(compat: CompatStatement): boolean {
  return !isInAll(compat, (browser) => compatMinimum[browser]) && isInAll(compat, () => "9999");
}

const membersOf = (feature: Identifier) =>
  Object.entries(feature as Record<string, Identifier>).flatMap(([key, { __compat }]) =>
    key !== "__compat" && __compat ? [[key.replace(/_static$/, ""), __compat] as const] : [],
  );

/** Interfaces and global functions by name, and `Interface.member`; true if newer than the minimum. */
const globals = new Map<string, boolean>();
/** Members by name only; false if any interface had one of this name before. */
const members = new Map<string, boolean>();
for (const group of [compatData.api, compatData.javascript.builtins]) {
  for (const [owner, feature] of Object.entries<Identifier>(group ?? {})) {
    if (feature.__compat) globals.set(owner, isNewer(feature.__compat));
    for (const [name, compat] of membersOf(feature)) {
      const newer = isNewer(compat);
      globals.set(`${owner}.${name}`, newer);
      members.set(name, newer && members.get(name) !== false);
    }
  }
}

/**
 * The globals that a test removes from a browser to simulate the oldest supported ones: `URLPattern`,
 * `URL.canParse`.
 */
export const newerGlobals: readonly string[] = [...globals].flatMap(([name, isNew]) => (isNew ? [name] : []));

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === "Identifier" && typeof node.name === "string" ? node.name : null;
const globalObjects = new Set(["window", "self", "globalThis"]);

/**
 * The platform features in built code that a minimum browser lacks: globals (`URLPattern`), their members
 * (`URL.canParse`) and members of any object (`.toSpliced`), the latter by name only because built code has
 * no types.
 */
export function newerFeatures(code: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visitMember = (object: unknown, property: string): void => {
    const owner = nameOf(object);
    if (owner !== null && globalObjects.has(owner)) {
      if (globals.get(property)) found.add(property);
      return;
    }
    const exact = owner === null ? undefined : globals.get(`${owner}.${property}`);
    if (exact) found.add(`${owner}.${property}`);
    if (exact === undefined && members.get(property)) found.add(`.${property}`);
  };
  const visit = (node: Node): void => {
    const name = nameOf(node);
    if (name !== null && globals.get(name)) found.add(name);
    if (
      node.type === "Literal" &&
      isNode(node.regex) === false &&
      typeof node.regex === "object" &&
      node.regex
    ) {
      if ("flags" in node.regex && String(node.regex.flags).includes("v")) found.add("/v");
    }
    const property =
      node.type === "MemberExpression" && node.computed !== true ? nameOf(node.property) : null;
    if (property !== null) visitMember(node.object, property);
    for (const [key, child] of Object.entries(node)) {
      // Names of properties and methods are not references.
      if (node.computed !== true && (key === "property" || (key === "key" && node.shorthand !== true)))
        continue;
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each);
    }
  };
  visit(parseAst(code) as unknown as Node);
  return found;
}

/** The selectors, rules and properties in built style sheets that a minimum browser lacks. */
export function newerStyles(css: string): ReadonlySet<string> {
  const plain = css.replace(/\/\*.*?\*\/|"[^"]*"|'[^']*'|\\./gs, "");
  const kinds = [
    { data: compatData.css.selectors, uses: /::?([a-z-]+)/g, sign: ":" },
    { data: compatData.css["at-rules"], uses: /@([a-z-]+)/g, sign: "@" },
    { data: compatData.css.properties, uses: /[{;]([a-z-]+):/g, sign: "" },
  ];
  const found = new Set<string>();
  for (const { data, uses, sign } of kinds) {
    for (const [, name = ""] of plain.matchAll(uses)) {
      const compat = data?.[name]?.__compat;
      if (compat && isNewer(compat)) found.add(sign + name);
    }
  }
  return found;
}
