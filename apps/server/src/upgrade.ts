import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { signallingSubprotocol } from "@warren/protocol";
import type { Certificate } from "./certificate.ts";
import type { ServerConfig } from "./config.ts";
import { endWith } from "./http.ts";
import type { AddressLimits } from "./limits/address-limits.ts";
import type { ClientAddress } from "./limits/client-address.ts";
import { securityHeaders } from "./security-headers.ts";

const retryAfterS = 5;

/** Why an upgrade is refused: an HTTP status and the name of its counter. */
export interface UpgradeRefusal {
  readonly status: 400 | 403 | 404 | 429 | 503;
  readonly reason: string;
}

/** The dependencies of {@link refuseUpgrade} besides the request. */
export interface UpgradeConditions {
  readonly config: ServerConfig;
  /** Present if the server speaks https. */
  readonly certificate?: Certificate | undefined;
  readonly addressLimits: AddressLimits;
  readonly openSockets: () => number;
  readonly isDraining: () => boolean;
  readonly lagMs: () => number;
}

/** @returns why this request may not open a socket, or undefined if it may. */
export function refuseUpgrade(
  request: IncomingMessage,
  address: ClientAddress,
  { config, certificate, addressLimits, openSockets, isDraining, lagMs }: UpgradeConditions,
): UpgradeRefusal | undefined {
  if (request.url?.split("?", 1)[0] !== "/ws") return { status: 404, reason: "path" };
  if (!isAllowedOrigin(request, config)) return { status: 403, reason: "origin" };
  if (claimsHttps(request, address, config, certificate)) return { status: 403, reason: "https" };
  if (!offersSubprotocol(request)) return { status: 400, reason: "subprotocol" };
  if (isDraining()) return { status: 503, reason: "draining" };
  if (openSockets() >= config.limits.sockets) return { status: 503, reason: "full" };
  if (lagMs() > config.limits.lagMs) return { status: 503, reason: "lag" };
  if (!addressLimits.mayConnect(address)) return { status: 429, reason: "address" };
  return undefined;
}

/** Answers an upgrade request with a plain HTTP refusal. */
export function writeRefusal(
  socket: Duplex,
  request: IncomingMessage,
  { status, reason }: UpgradeRefusal,
  config: ServerConfig,
): void {
  const headers = {
    ...securityHeaders(request, config),
    ...((status === 429 || status === 503) && { "Retry-After": retryAfterS }),
  };
  endWith(socket, status, headers, reason);
}

/** The origin of the page that opens a socket. */
export function pageOriginOf(request: IncomingMessage): string {
  return parseOrigin(request.headers.origin)?.origin ?? "";
}

/** Browsers always send the page's origin; clients that send none are refused. */
function isAllowedOrigin(
  request: IncomingMessage,
  { allowedOrigins, tls, trustedProxyHops }: ServerConfig,
): boolean {
  const origin = parseOrigin(request.headers.origin);
  if (!origin) return false;
  if (allowedOrigins.length > 0) return allowedOrigins.includes(origin.origin);
  // With our own certificate, a page of plain http comes from another server.
  if (tls !== undefined && trustedProxyHops === 0 && origin.protocol !== "https:") return false;
  // Parsed with the page's scheme, so that its default port is optional.
  return parseOrigin(`${origin.protocol}//${request.headers.host ?? ""}`)?.host === origin.host;
}

/**
 * Whether an https page, without a setting that lists ours, comes from another server, which would forward the proofs
 * of its visitors to us: one whose host is not in our certificate. Without a certificate, the page came through a
 * proxy; one without a setting must be on this machine or in its network.
 */
function claimsHttps(
  request: IncomingMessage,
  { isPrivate }: ClientAddress,
  { trustedProxyHops, serverNames, allowedOrigins }: ServerConfig,
  certificate: Certificate | undefined,
): boolean {
  if (isPrivate || trustedProxyHops > 0 || serverNames.length > 0 || allowedOrigins.length > 0) return false;
  const origin = parseOrigin(request.headers.origin);
  return origin?.protocol === "https:" && !certificate?.isFor(origin.hostname);
}

function parseOrigin(text: string | undefined): URL | undefined {
  return text && /^https?:\/\/[^/@?#\s]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function offersSubprotocol(request: IncomingMessage): boolean {
  const offered = request.headers["sec-websocket-protocol"] ?? "";
  return offered.split(",").some((name) => name.trim() === signallingSubprotocol);
}
