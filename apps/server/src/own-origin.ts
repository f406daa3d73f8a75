import type { ServerConfig } from "./config.ts";

/** The settings that decide by which origins clients may reach this server. */
export type Naming = Pick<ServerConfig, "allowedOrigins" | "serverNames" | "tls">;

/**
 * Whether an origin that a client opened its socket to, such as `wss://warren.example.org`, is one of ours. Its host has to be:
 * one of the server's names or, without any, the host of the page. With a key, so has its scheme: otherwise somebody who answers
 * for us over plain http could forward the proof of a visitor to us over https.
 */
export function isOurOrigin(
  origin: string,
  { page, hasKey }: { readonly page: string; readonly hasKey: boolean },
  naming: Naming,
): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host, hostname } = new URL(origin);
  const { serverNames } = naming;
  const isNamed =
    serverNames.length > 0 ? serverNames.includes(host) : page !== "" && new URL(page).host === host;
  if (!isNamed || protocol === "wss:" || !hasKey || isLoopback(hostname)) return isNamed;
  return hasPlainPages(host, page, naming);
}

/** Whether the server's pages come over plain http, as far as its settings say. */
function hasPlainPages(host: string, page: string, { allowedOrigins, serverNames, tls }: Naming): boolean {
  if (allowedOrigins.length > 0) return allowedOrigins.includes(`http://${host}`);
  return serverNames.length === 0 && tls === undefined && page.startsWith("http:");
}

/** Where browsers have keys without https. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
