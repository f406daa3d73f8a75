import { describe, expect, test } from "vitest";
import { codeOf, faultsOf } from "./first-load.mjs";

const page = `<link rel="icon" href="/icon.svg"><script src="/theme.js"></script>
  <script type="module" crossorigin src="/assets/index-1.js"></script>
  <link rel="preload" href="/assets/draw-1.js" as="script">
  <script type="module" async src="/assets/index-1.js"></script>`;
const manifest = Object.fromEntries(
  [
    "src/call/call-page.tsx",
    "src/call/call-background.tsx",
    "src/files/page/files-page.tsx",
    "src/settings/settings-page.tsx",
    "../../packages/core/src/call/call.ts",
    "../../packages/core/src/chat/file-exchange.ts",
  ].map((source, index) => [source, { file: `assets/later-${index}.js`, isDynamicEntry: true }]),
);

describe("the first load", () => {
  test("is all code that the page names, once", () => {
    expect(codeOf(page)).toEqual(["theme.js", "assets/index-1.js", "assets/draw-1.js"]);
    expect(faultsOf(page, manifest)).toEqual([]);
  });

  test("has no code of later pages, split off or not", () => {
    const { "src/settings/settings-page.tsx": settings, ...others } = manifest;
    expect(faultsOf(page, others)).toEqual(["src/settings/settings-page.tsx is part of the first load."]);
    const early = `${page}<link rel="preload" href="/${settings?.file}" as="script">`;
    expect(faultsOf(early, manifest)).toEqual(["src/settings/settings-page.tsx is part of the first load."]);
  });

  test.each(["https://fonts.example/a.css", "//fonts.example/a.css"])("asks no one else: %s", (address) => {
    expect(faultsOf(`${page}<link rel="stylesheet" href="${address}">`, manifest)).toEqual([
      `The page requests ${address}, which is not Warren's.`,
    ]);
  });
});
