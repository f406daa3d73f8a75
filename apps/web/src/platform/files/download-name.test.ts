import { expect, it } from "vitest";
import { downloadName } from "./download-name.ts";

const chromium =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const onWindows = chromium.replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64");
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const safari =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";

it.each([
  ["report (2).pdf", "report (2).pdf", "report (2).pdf", "report (2).pdf"],
  [".gitignore", "gitignore", "gitignore", "gitignore"],
  [".env.local", "env.local", "env.download", "env.local.download"],
  ["Wi-Fi.lnk", "Wi-Fi.lnk", "Wi-Fi.download", "Wi-Fi.lnk.download"],
  ["page.url", "page.url", "page.url", "page.url.download"],
  ["~draft", "_draft", "_draft", "~draft"],
  ["100 %.txt", "100 %.txt", "100 %.txt", "100 _.txt"],
  [
    "family \u{1F469}\u200D\u{1F467}.png",
    "family \u{1F469}_\u{1F467}.png",
    "family \u{1F469}_\u{1F467}.png",
    "family \u{1F469}_\u{1F467}.png",
  ],
  ["a.b c", "a.b c", "a.b c", "a.bc"],
])("knows as what each browser saves %j", (name, byChromium, there, byFirefox) => {
  expect(downloadName(name, { userAgent: chromium })).toBe(byChromium);
  expect(downloadName(name, { userAgent: onWindows })).toBe(there);
  expect(downloadName(name, { userAgent: firefox })).toBe(byFirefox);
  expect(downloadName(name, { userAgent: safari })).toBe(name);
});
