import { expect, test } from "vitest";
import { gzipKilobytes, staticFiles } from "./bundle-size.mjs";

const manifest = {
  "index.html": { file: "main.js", isEntry: true, imports: ["_shared.js"], dynamicImports: ["page.tsx"] },
  "_shared.js": { file: "shared.js", imports: ["_base.js"] },
  "_base.js": { file: "base.js", imports: ["_shared.js"] },
  "page.tsx": { file: "page.js", imports: ["_base.js"] },
};

test("follows circular static imports and leaves lazily loaded chunks out", () => {
  expect([...staticFiles(manifest, ["index.html"])]).toEqual(["main.js", "shared.js", "base.js"]);
});

test("counts each file once for several entries", () => {
  expect([...staticFiles(manifest, ["page.tsx", "index.html"])].sort()).toEqual([
    "base.js",
    "main.js",
    "page.js",
    "shared.js",
  ]);
});

test("measures the transfer size, not the stored size", () => {
  expect(gzipKilobytes("a".repeat(100_000))).toBeLessThan(1);
});
