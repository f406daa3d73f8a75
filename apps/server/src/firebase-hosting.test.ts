import { expect, it } from "vitest";
import hosting from "../../../deploy/firebase/firebase.json" with { type: "json" };
import { securityHeaders } from "./security-headers.ts";

/** The hosts that a page connects to over Firebase: accounts, their tokens, and the shards of the database. */
const google = [
  "https://identitytoolkit.googleapis.com",
  "https://securetoken.googleapis.com",
  "wss://*.firebaseio.com",
  "wss://*.firebasedatabase.app",
];

const { headers } = hosting.hosting;
/** The headers of all matching rules; of two with the same name, the later one counts. */
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
  "Firebase Hosting sends the headers of Warren's server with $path, except for the hosts to connect to",
  ({ path, rules }) => {
    const request = { url: path, headers: { "x-forwarded-proto": "https" } };
    const settings = { connectSources: google, imageSources: ["https:"], trustedProxyHops: 1 };
    const { "Cache-Control": _, ...security } = sent(...rules);
    expect(security).toEqual(securityHeaders(request, settings));
  },
);

it("Firebase Hosting allows caching only of files with a hash in their name", () => {
  expect(sent("**")["Cache-Control"]).toBe("no-cache");
  expect(sent("**", "/assets/**")["Cache-Control"]).toBe("public, max-age=31536000, immutable");
});
