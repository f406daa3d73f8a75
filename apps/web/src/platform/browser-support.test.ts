import { describe, expect, it } from "vitest";
import { unsupportedReasons } from "./browser-support.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const iphone = (version: string, rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`;

const supported: readonly (readonly [string, string])[] = [
  ["Chrome 66", `${windows} ${webkit} Chrome/66.0.3359.117 Safari/537.36`],
  ["Chrome 143", `${windows} ${webkit} Chrome/143.0.0.0 Safari/537.36`],
  ["headless Chrome", `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/143.0.0.0 Safari/537.36`],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/66.0.0.0 Mobile Safari/537.36`],
  ["Firefox 63", "Mozilla/5.0 (X11; Linux x86_64; rv:63.0) Gecko/20100101 Firefox/63.0"],
  ["Safari 13.0", `${mac} Version/13.0 Safari/605.1.15`],
  ["Edge 79", `${windows} ${webkit} Chrome/79.0.3945.74 Safari/537.36 Edg/79.0.309.43`],
  [
    "Edge on Android",
    `Mozilla/5.0 (Linux; Android 10) ${webkit} Chrome/120.0 Mobile Safari/537.36 EdgA/120.0.0.0`,
  ],
  ["Opera 53", `${windows} ${webkit} Chrome/66.0.3359.139 Safari/537.36 OPR/53.0.2907.37`],
  ["Safari on iOS 13.0", iphone("13_0", "Version/13.0 Mobile/15E148 Safari/604.1")],
  ["Firefox on iOS 17, with an own low version", iphone("17_2", "FxiOS/12.0 Mobile/15E148 Safari/605.1.15")],
  ["Chrome on iOS 17, with an own low version", iphone("17_2", "CriOS/60.0.0 Mobile/15E148 Safari/604.1")],
  ["an unknown browser", "Ladybird/1.0"],
  ["no user agent at all", ""],
];

const tooLow: readonly (readonly [string, string, string, string, string])[] = [
  ["Chrome 65", `${windows} ${webkit} Chrome/65.0.3325.181 Safari/537.36`, "Chrome", "65", "66"],
  [
    "Firefox 60",
    "Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0",
    "Firefox",
    "60",
    "63",
  ],
  ["Safari 12.1", `${mac} Version/12.1.2 Safari/605.1.15`, "Safari", "12.1", "13"],
  [
    "old Edge",
    `${windows} ${webkit} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19042`,
    "Edge",
    "18.19042",
    "79",
  ],
  [
    "Opera 52",
    `${windows} ${webkit} Chrome/65.0.3325.181 Safari/537.36 OPR/52.0.2871.99`,
    "Opera",
    "52",
    "53",
  ],
  ["iOS 12.5", iphone("12_5_7", "Version/12.1.2 Mobile/15E148 Safari/604.1"), "iOS", "12.5", "13"],
  [
    "Chrome on iPad with iOS 12, whatever its own version",
    "Mozilla/5.0 (iPad; CPU OS 12_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/99.0 Mobile/15E148 Safari/605.1",
    "iOS",
    "12.4",
    "13",
  ],
];

describe("unsupported browsers", () => {
  it.each(supported)("lets %s in", (_name, userAgent) => {
    expect(unsupportedReasons(userAgent, true)).toEqual([]);
  });

  it.each(tooLow)("refuses %s and names versions", (_name, userAgent, browser, version, minimum) => {
    expect(unsupportedReasons(userAgent, true)).toEqual([
      { code: "browser_version_too_low", browser, version, minimum },
    ]);
  });

  it("refuses a browser without WebRTC", () => {
    expect(unsupportedReasons("Ladybird/1.0", false)).toEqual([{ code: "browser_does_not_support_webrtc" }]);
  });

  it("gives both reasons where both hold", () => {
    const reasons = unsupportedReasons(tooLow[0]?.[1] ?? "", false);
    expect(reasons.map(({ code }) => code)).toEqual([
      "browser_version_too_low",
      "browser_does_not_support_webrtc",
    ]);
  });
});
