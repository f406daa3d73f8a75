import manifest from "../package.json" with { type: "json" };

/** Other tools' names for the browsers of browserslist. */
const namesElsewhere = {
  chrome: { target: "chrome", compat: ["chrome", "chrome_android"] },
  edge: { target: "edge", compat: ["edge"] },
  firefox: { target: "firefox", compat: ["firefox", "firefox_android"] },
  ios_saf: { target: "ios", compat: ["safari_ios"] },
  opera: { target: "opera", compat: ["opera"] },
  safari: { target: "safari", compat: ["safari"] },
} as const;
type BrowserId = keyof typeof namesElsewhere;
type CompatName = (typeof namesElsewhere)[BrowserId]["compat"][number];

/**
 * The oldest supported versions, from `browserslist` in package.json. The build target, the feature check,
 * the screen for unsupported browsers and the README are based on it.
 */
export const minimumBrowsers: Readonly<Record<BrowserId, string>> = readMinimum();

function readMinimum(): Record<BrowserId, string> {
  const versions: Record<string, string> = Object.fromEntries(
    manifest.browserslist.map((query) => query.split(" ")),
  );
  for (const id of Object.keys(namesElsewhere)) {
    if (!/^\d+(\.\d+)?$/.test(versions[id] ?? ""))
      throw new Error(`browserslist in package.json lacks ${id}`);
  }
  return versions as Record<BrowserId, string>;
}

const ids = Object.keys(namesElsewhere) as BrowserId[];

/** The minimum in the format of `build.target`. */
export const buildTarget: string[] = ids.map((id) => namesElsewhere[id].target + minimumBrowsers[id]);

/** The minimum with the browser names of MDN's compatibility data. */
export const compatMinimum = Object.fromEntries(
  ids.flatMap((id) => namesElsewhere[id].compat.map((name) => [name, minimumBrowsers[id]])),
) as Readonly<Record<CompatName, string>>;
