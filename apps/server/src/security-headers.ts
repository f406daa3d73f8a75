import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { ServerConfig } from "./config.ts";

/**
 * A host name, IPv4 address or bracketed IPv6 address, with or without a port: no characters that could end a
 * directive.
 */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** A public host name at the default port: with a dot, and not in a domain that is local to each network. */
const publicName =
  /^(?!.*\.(?:localhost|local|lan|internal|home\.arpa)\.?$)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*\.?$/i;

/**
 * Only features that Chromium knows, because it logs a warning on every page for any other, such as `speaker-selection`,
 * which browsers that know it grant to the page by default.
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

/** The service worker's own policy: it fetches only the app's files. */
const serviceWorkerPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Workers that compress and decompress files: only they may compile WebAssembly. */
const compilingWorkers = /^\/assets\/(?:compression|transfer)-worker-[\w-]+\.js$/;

type HeaderSettings = Pick<
  ServerConfig,
  "basePath" | "connectSources" | "imageSources" | "tls" | "trustedProxyHops"
>;

/** The parts of a request that determine the headers of its response. */
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
  // In older Safari, 'self' does not include WebSockets to the page's host.
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
    "trusted-types app-url inert-markup",
  ].join("; ");
}

/** Sets HSTS with our own certificate, or if our own proxy reports that the request came by https. */
function strictTransportSecurity(
  { headers }: HeaderRequest,
  { basePath = "/", tls, trustedProxyHops }: HeaderSettings,
): string | undefined {
  // Under a path the host is shared, so HSTS is not ours to set.
  if (basePath !== "/") return undefined;
  const maxAge = "max-age=63072000";
  // HSTS covers all ports of a host: without a proxy that owns the host, set it only for names that are rarely shared.
  if (trustedProxyHops === 0) return tls && publicName.test(headers.host ?? "") ? maxAge : undefined;
  const schemes = String(headers["x-forwarded-proto"] ?? "").split(",");
  const scheme = (schemes.at(-trustedProxyHops) ?? schemes[0] ?? "").trim();
  return scheme === "https" ? `${maxAge}; includeSubDomains` : undefined;
}
