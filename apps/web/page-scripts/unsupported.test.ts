// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { minimumBrowsers } from "../build/minimum-browsers.ts";

const source = readFileSync(join(import.meta.dirname, "unsupported.js"), "utf8");
const minimum = JSON.stringify(minimumBrowsers);

interface Browser {
  readonly userAgent: string;
  readonly language?: string;
  readonly hasWebRtc?: boolean;
}

/** Runs the script as a browser would, and returns what the page shows. */
function visit({ userAgent, language = "en-US", hasWebRtc = true }: Browser) {
  document.head.innerHTML = '<link rel="icon" href="/icon.svg">';
  document.body.innerHTML = '<div id="root"></div>';
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  vi.spyOn(navigator, "language", "get").mockReturnValue(language);
  vi.stubGlobal("CompressionStream", class {});
  vi.stubGlobal(
    "RTCPeerConnection",
    hasWebRtc
      ? class {
          createDataChannel() {}
        }
      : undefined,
  );
  const script = document.createElement("script");
  script.setAttribute("data-minimum", minimum);
  Object.defineProperty(document, "currentScript", { value: script, configurable: true });
  new Function(source)();
  return {
    isRefused: document.documentElement.hasAttribute("data-unsupported"),
    title: document.querySelector("h1")?.textContent,
    reasons: [...document.querySelectorAll("li")].map((reason) => reason.textContent),
    codes: [...document.querySelectorAll("li")].map((reason) => reason.getAttribute("data-reason")),
    line: document.querySelector("main > p:last-child")?.textContent,
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
  document.documentElement.removeAttribute("data-unsupported");
});

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const iphone = (version: string, rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`;

const supported: readonly (readonly [string, string])[] = [
  ["Chrome 111", `${windows} ${webkit} Chrome/111.0.0.0 Safari/537.36`],
  ["Chrome 143", `${windows} ${webkit} Chrome/143.0.0.0 Safari/537.36`],
  ["headless Chrome", `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/143.0.0.0 Safari/537.36`],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/111.0.0.0 Mobile Safari/537.36`],
  ["Firefox 128", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
  ["Safari 16.4", `${mac} Version/16.4 Safari/605.1.15`],
  ["Edge 111", `${windows} ${webkit} Chrome/111.0.0.0 Safari/537.36 Edg/111.0.1661.41`],
  [
    "Edge on Android",
    `Mozilla/5.0 (Linux; Android 10) ${webkit} Chrome/120.0 Mobile Safari/537.36 EdgA/120.0.0.0`,
  ],
  ["Opera 97", `${windows} ${webkit} Chrome/111.0.0.0 Safari/537.36 OPR/97.0.0.0`],
  ["Safari on iOS 16.4", iphone("16_4", "Version/16.4 Mobile/15E148 Safari/604.1")],
  ["Firefox on iOS 17, with an own low version", iphone("17_2", "FxiOS/12.0 Mobile/15E148 Safari/605.1.15")],
  ["Chrome on iOS 17, with an own low version", iphone("17_2", "CriOS/60.0.0 Mobile/15E148 Safari/604.1")],
  ["an unknown browser", "Ladybird/1.0"],
  ["no user agent at all", ""],
];

const tooLow: readonly (readonly [string, string, string, string, string])[] = [
  ["Chrome 109", `${windows} ${webkit} Chrome/109.0.0.0 Safari/537.36`, "Chrome", "109", "111"],
  [
    "Firefox 115",
    "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0",
    "Firefox",
    "115",
    "128",
  ],
  ["Safari 16.3", `${mac} Version/16.3.1 Safari/605.1.15`, "Safari", "16.3", "16.4"],
  [
    "old Edge",
    `${windows} ${webkit} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19042`,
    "Edge",
    "18.19042",
    "111",
  ],
  ["Opera 95", `${windows} ${webkit} Chrome/109.0.0.0 Safari/537.36 OPR/95.0.0.0`, "Opera", "95", "97"],
  ["iOS 16.3", iphone("16_3_1", "Version/16.3 Mobile/15E148 Safari/604.1"), "iOS", "16.3", "16.4"],
  [
    "Chrome on iPad with iOS 12, whatever its own version",
    "Mozilla/5.0 (iPad; CPU OS 12_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/99.0 Mobile/15E148 Safari/605.1",
    "iOS",
    "12.4",
    "16.4",
  ],
];

describe("an unsupported browser", () => {
  it.each(supported)("does not include %s", (_name, userAgent) => {
    expect(visit({ userAgent })).toMatchObject({ isRefused: false, reasons: [] });
  });

  it.each(tooLow)("includes %s, with the required version", (_name, userAgent, browser, version, needed) => {
    expect(visit({ userAgent })).toMatchObject({
      isRefused: true,
      title: "This browser is too old",
      reasons: [`Warren needs ${browser} ${needed} or newer. This is ${browser} ${version}.`],
      codes: ["browser_version_too_low"],
    });
  });

  it("is told every supported browser and its oldest version", () => {
    const { line } = visit({ userAgent: tooLow[0]?.[1] ?? "" });
    for (const version of Object.values(minimumBrowsers)) expect(line).toContain(version);
    expect(line).toMatch(/^Warren runs in Safari 16.4, Chrome 111, .* and newer\.$/);
  });

  it("is one without WebRTC", () => {
    expect(visit({ userAgent: "Ladybird/1.0", hasWebRtc: false })).toMatchObject({
      isRefused: true,
      title: "This browser cannot run Warren",
      codes: ["browser_does_not_support_webrtc"],
    });
  });

  it("is told all reasons", () => {
    const { codes } = visit({ userAgent: tooLow[0]?.[1] ?? "", hasWebRtc: false });
    expect(codes).toEqual(["browser_version_too_low", "browser_does_not_support_webrtc"]);
  });

  it("is one of any name that lacks a required feature", () => {
    const original = Object.getOwnPropertyDescriptor(Array.prototype, "toSpliced");
    Reflect.deleteProperty(Array.prototype, "toSpliced");
    try {
      const { reasons } = visit({ userAgent: "Ladybird/1.0" });
      expect(reasons).toEqual(["Update this browser to use Warren."]);
    } finally {
      if (original) Object.defineProperty(Array.prototype, "toSpliced", original);
    }
  });

  it.each([
    ["zh-CN", "这个浏览器太旧了"],
    ["zh-Hant-HK", "這個瀏覽器太舊了"],
    ["fr", "This browser is too old"],
  ])("is addressed in its own language: %s", (language, title) => {
    expect(visit({ userAgent: tooLow[0]?.[1] ?? "", language }).title).toBe(title);
  });

  it("is one that cannot parse the app's code", () => {
    visit({ userAgent: "Ladybird/1.0" });
    window.dispatchEvent(new ErrorEvent("error", { error: new SyntaxError("Unexpected token") }));
    expect(document.querySelector("h1")?.textContent).toBe("This browser is too old");
  });
});

it("the README lists the supported browsers", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
  const { chrome, edge, firefox, safari, ios_saf, opera } = minimumBrowsers;
  expect(readme.replace(/\s+/g, " ")).toContain(
    `Chrome ${chrome}, Edge ${edge}, Firefox ${firefox}, Safari ${safari} (iOS ${ios_saf}), Opera ${opera}`,
  );
});

describe("app code that fails to load", () => {
  it("is reported instead of an empty page, with a retry button, but not over a running app", () => {
    visit({ userAgent: supported[0]?.[1] ?? "", language: "zh-TW" });
    dispatchEvent(new Event("app-missing"));
    expect(document.querySelector("h1")?.textContent).toBe("Warren 沒能載入");
    expect(document.querySelector("button")?.textContent).toBe("再試一次");
    visit({ userAgent: supported[0]?.[1] ?? "" });
    document.getElementById("root")?.append("the app");
    dispatchEvent(new Event("app-missing"));
    expect(document.querySelector("h1")).toBeNull();
  });
});
