import { expect, it } from "vitest";
import hosting from "../../../deploy/firebase/firebase.json" with { type: "json" };
import { securityHeaders } from "./security-headers.ts";

/** Where a page that meets others over Firebase connects to: accounts, their tokens, and the database by its shards. */
const google = [
  "https://identitytoolkit.googleapis.com",
  "https://securetoken.googleapis.com",
  "wss://*.firebaseio.com",
  "wss://*.firebasedatabase.app",
];

const { headers } = hosting.hosting;
/** The headers of rules from the first to the last that match; of two with one name the later one is sent. */
const sent = (...sources: readonly string[]) =>
  Object.fromEntries(
    headers
      .filter(({ source }) => sources.includes(source))
      .flatMap((rule) => rule.headers.map(({ key, value }) => [key, value])),
  );

it.each([
  { path: "/", rules: ["**"] },
  { path: "/assets/transfer-worker-x.js", rules: ["**", "/assets/@(compression|transfer)-worker-*.js"] },
  { path: "/sw.js", rules: ["**", "/sw.js"] },
])(
  "Firebase Hosting sends with $path what Warren's server does, but for whom the page may connect to",
  ({ path, rules }) => {
    const request = { url: path, headers: { "x-forwarded-proto": "https" } };
    const settings = { connectSources: google, imageSources: ["https:"], trustedProxyHops: 1 };
    const { "Cache-Control": _, ...security } = sent(...rules);
    expect(security).toEqual(securityHeaders(request, settings));
  },
);

it("Firebase Hosting lets files be kept whose names hold a hash, and no others", () => {
  expect(sent("**")["Cache-Control"]).toBe("no-cache");
  expect(sent("**", "/assets/**")["Cache-Control"]).toBe("public, max-age=31536000, immutable");
});
