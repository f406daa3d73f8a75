import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { ServerConfig } from "./config.ts";

/** A host name, an IPv4 address or a bracketed IPv6 address, with or without a port: nothing that could end a directive. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** A name of the public internet at the usual port: with a dot, and not of a domain that every network has for itself. */
const publicName =
  /^(?!.*\.(?:localhost|local|lan|internal|home\.arpa)\.?$)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*\.?$/i;

/**
 * Only names that Chromium knows: it logs a warning on every page for each of the others. `speaker-selection` is one of
 * those; where a browser knows it, it is granted to the page itself by default.
 */
const permissionsPolicy = [
  ...[
    "camera",
    "microphone",
    "display-capture",
    "screen-wake-lock",
    "clipboard-read",
    "clipboard-write",
    "fullscreen",
    "picture-in-picture",
    "autoplay",
  ].map((feature) => `${feature}=(self)`),
  ...["geolocation", "payment", "usb", "serial", "hid", "midi"].map((feature) => `${feature}=()`),
].join(", ");

/** The service worker runs under a policy of its own: it fetches the app's files, and asks nobody else. */
const serviceWorkerPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The workers that pack and unpack files: they alone may compile WebAssembly, the page may not. */
const compilingWorkers = /^\/assets\/(?:compression|transfer)-worker-[\w-]+\.js$/;

type HeaderSettings = Pick<
  ServerConfig,
  "basePath" | "connectSources" | "imageSources" | "tls" | "trustedProxyHops"
>;

/** What of a request the headers of its answer depend on. */
type HeaderRequest = Pick<IncomingMessage, "headers"> & Partial<Pick<IncomingMessage, "url">>;

/** The headers every response carries. */
export function securityHeaders(request: HeaderRequest, settings: HeaderSettings): OutgoingHttpHeaders {
  const path = request.url?.split("?", 1)[0] ?? "";
  const transportSecurity = strictTransportSecurity(request, settings);
  return {
    "Content-Security-Policy":
      path === "/sw.js"
        ? serviceWorkerPolicy
        : contentSecurityPolicy(request.headers.host, settings, compilingWorkers.test(path)),
    "Permissions-Policy": permissionsPolicy,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    "X-Content-Type-Options": "nosniff",
    ...(transportSecurity && { "Strict-Transport-Security": transportSecurity }),
  };
}

function contentSecurityPolicy(
  host: string | undefined,
  { connectSources, imageSources }: HeaderSettings,
  mayCompile: boolean,
): string {
  // Older Safari does not count a WebSocket to the page's own host as 'self', so it is named.
  const own = host !== undefined && hostPattern.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
  const connect = ["'self'", ...own, "https://rtc.live.cloudflare.com", ...connectSources];
  return [
    "default-src 'none'",
    mayCompile ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${imageSources.join(" ")}`,
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${connect.join(" ")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types app-url",
  ].join("; ");
}

/** What binds the browser to https: by our own certificate, or where a proxy of our own says that it came by https. */
function strictTransportSecurity(
  { headers }: HeaderRequest,
  { basePath = "/", tls, trustedProxyHops }: HeaderSettings,
): string | undefined {
  // Under a path the host is others' as well, and theirs to say.
  if (basePath !== "/") return undefined;
  const maxAge = "max-age=63072000";
  // It binds every port of a host: without a proxy that has the whole host, only a name that is hardly shared.
  if (trustedProxyHops === 0) return tls && publicName.test(headers.host ?? "") ? maxAge : undefined;
  const schemes = String(headers["x-forwarded-proto"] ?? "").split(",");
  const scheme = (schemes.at(-trustedProxyHops) ?? schemes[0] ?? "").trim();
  return scheme === "https" ? `${maxAge}; includeSubDomains` : undefined;
}
