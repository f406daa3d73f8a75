import { dirname, join, normalize } from "node:path/posix";

/**
 * The import rules. A folder may import itself and the folders of the rows above its own; folders of the same row may
 * not import each other. A row may name a folder inside another; all other folders belong to the one that has them. Files beside the folders may import all of them, and only tests use `testing` and `scenarios`.
 * `packages` lists our packages that the tree may import; without rows its folders are unrestricted.
 *
 * @type {Readonly<Record<string, { packages: readonly string[], rows: readonly (readonly string[])[] | null }>>}
 */
export const trees = {
  "packages/protocol/src": { packages: [], rows: null },
  "packages/core/src": {
    packages: ["protocol"],
    rows: [
      ["ports"],
      ["shared", "node"],
      ["profile", "settings", "handshake"],
      ["room-log"],
      ["signalling"],
      ["sealed", "ice"],
      ["lanes", "doctor"],
      ["session"],
      ["room", "files"],
      ["call", "transfer"],
      ["messages"],
      ["offers"],
      ["shares"],
      ["chat"],
    ],
  },
  "apps/server/src": { packages: ["protocol"], rows: null },
  "apps/cli/src": {
    packages: ["core", "protocol"],
    rows: [["platform"], ["files"], ["terminal"], ["commands"]],
  },
  "apps/web/src": {
    packages: ["core", "protocol"],
    rows: [
      ["workers", "service-worker", "styles"],
      ["platform"],
      ["i18n", "pictures", "file-state"],
      ["ui", "tab"],
      ["wiring", "brand"],
      ["table", "people", "devices"],
      ["room"],
      ["files", "call"],
      ["chat/emoji"],
      ["chat/message"],
      ["chat/list", "chat/log", "chat/composer"],
      ["chat"],
      ["notifications"],
      ["compare", "settings", "share", "nearby", "doctor"],
      ["app"],
    ],
  },
};

const importPattern = /^(?:import|export)\b[^"';]*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
const forTests = new Set(["testing", "scenarios"]);

/**
 * Checks the imports of a file against the table.
 * @param {string} file its path in the repository, with slashes
 * @param {string} code
 * @returns {string[]} one sentence per violation
 */
export function faultsOf(file, code) {
  const root = Object.keys(trees).find((tree) => file.startsWith(`${tree}/`));
  const tree = trees[root ?? ""];
  if (root === undefined || tree === undefined) return [];
  const own = folderOf(file, root);
  const isTest = /\.test\.tsx?$/.test(file) || forTests.has(own ?? "");

  return [...code.matchAll(importPattern)].flatMap(([, named, loaded]) => {
    const target = (named ?? loaded ?? "").split("?")[0] ?? "";
    const reason = target.startsWith(".") ? withinTree(target) : ofPackage(target);
    return reason === null ? [] : [`${file} imports ${target}: ${reason}`];
  });

  /** @param {string} target */
  function ofPackage(target) {
    const [, name] = /^@warren\/([^/]+)/.exec(target) ?? [];
    return name === undefined || tree?.packages.includes(name) ? null : `the tree does not use ${name}`;
  }

  /** @param {string} target */
  function withinTree(target) {
    const path = normalize(join(dirname(file), target));
    if (!path.startsWith(`${root}/`))
      return isTest || path.endsWith(".json") ? null : "it leaves its package";
    const used = folderOf(path, root ?? "");
    if (isTest || used === own) return null;
    if (used !== null && forTests.has(used)) return `only tests use ${used}`;
    if (tree?.rows === null) return null;
    if (used === null) return "no folder uses the files beside the folders";
    const row = rowOf(used);
    if (row === -1) return `${used} is in no row of the table`;
    return own === null || row < rowOf(own) ? null : `${own} does not use ${used}`;
  }

  /** @param {string} folder */
  function rowOf(folder) {
    return tree?.rows?.findIndex((row) => row.includes(folder)) ?? -1;
  }
}

/**
 * @param {string} file
 * @param {string} root
 * @returns the folder of a tree that contains a file, as the table names it; null for files beside the folders
 */
function folderOf(file, root) {
  const [first = "", second, ...rest] = file.slice(root.length + 1).split("/");
  if (second === undefined) return null;
  const inner = `${first}/${second}`;
  return rest.length > 0 && trees[root]?.rows?.flat().includes(inner) ? inner : first;
}
