/**
 * @typedef {{ file: string, isDynamicEntry?: boolean }} Chunk
 * @typedef {Record<string, Chunk>} Manifest Vite's, by source name
 */

/** What nobody needs to meet somebody. */
const later = [
  "src/call/call-page.tsx",
  "src/call/call-background.tsx",
  "src/files/page/files-page.tsx",
  "src/settings/settings-page.tsx",
  "../../packages/core/src/call/call.ts",
  "../../packages/core/src/chat/file-exchange.ts",
];

/**
 * The code that a page names, and so fetches before two people meet: see e2e/tests/first-load.spec.ts.
 * @param {string} page
 */
export function codeOf(page) {
  return addressesIn(page)
    .filter((address) => address.endsWith(".js"))
    .map((address) => address.replace(/^\//, ""));
}

/**
 * What is wrong with the first load: requests to others, and code that belongs to later pages.
 * @param {string} page
 * @param {Manifest} manifest
 * @returns {string[]}
 */
export function faultsOf(page, manifest) {
  const first = codeOf(page);
  const foreign = addressesIn(page).filter((address) => !/^\/(?!\/)/.test(address));
  const early = later.filter((source) => {
    const chunk = manifest[source];
    return chunk?.isDynamicEntry !== true || first.includes(chunk.file);
  });
  return [
    ...foreign.map((address) => `The page requests ${address}, which is not Warren's.`),
    ...early.map((source) => `${source} is part of the first load.`),
  ];
}

/** @param {string} page */
function addressesIn(page) {
  const found = page.matchAll(/<(?:script|link|img) [^>]*?(?:src|href)="([^"]+)"/g);
  return [...new Set(Array.from(found, ([, address = ""]) => address))];
}
