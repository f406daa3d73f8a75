import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RoomTag } from "@warren/protocol";
import { isPrivateAddress, readIpAddress } from "@warren/protocol/ip-address";
import type { ClientAddress } from "../limits/client-address.ts";

/** Names that exist only within a network: RFC 6762, 8375, and the private zone that ICANN reserves. */
const localName = /^(?:[^.]+|.*\.(?:local|localhost|home\.arpa|internal))$/;
/** What proxies tell of the client. */
const proxyHeaders = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "via"] as const;

/** Ranges in which one /64 holds clients of many networks. */
const sharedRanges: ReadonlySet<string> = new Set(["rfc6052", "rfc6145", "teredo"]);

/**
 * The network of a page, whose pages meet by `nearby`: a public IPv4 address, an IPv6 /64, or the private network that the
 * server is itself reached in. Undefined where strangers could have the same address: behind a proxy that the settings do
 * not count, and at a private address if the page came from a public host.
 * @param page the origin of the page
 */
export function networkOf(
  { headers }: Pick<IncomingMessage, "headers">,
  { key, isPrivate }: ClientAddress,
  { page, trustedProxyHops }: { readonly page: string; readonly trustedProxyHops: number },
): string | undefined {
  if (trustedProxyHops === 0 && proxyHeaders.some((name) => name in headers)) return undefined;
  const hops = String(headers["x-forwarded-for"] ?? "").split(",").length;
  if (trustedProxyHops > 0 && hops !== trustedProxyHops) return undefined;
  if (isPrivate) return isPrivateHost(page) ? "private" : undefined;
  const address = readIpAddress(key.replace(/\/64$/, ""));
  return address === null || sharedRanges.has(address.range()) ? undefined : key;
}

function isPrivateHost(page: string): boolean {
  if (!URL.canParse(page)) return false;
  const host = new URL(page).hostname.replace(/^\[|\]$/g, "");
  const address = readIpAddress(host);
  return address === null ? localName.test(host) : isPrivateAddress(address);
}

/**
 * The tags of the rooms of networks, under a key that only the server's processes have: no client can name one, and nothing
 * has to be stored for the processes to agree.
 */
export class NearbyTags {
  readonly #key: string | Buffer;

  /** @param key shared by processes that share rooms; random by default */
  constructor(key?: string) {
    this.#key = key ?? randomBytes(32);
  }

  tagOf(network: string): RoomTag {
    return createHmac("sha256", this.#key).update(`nearby/1 ${network}`).digest("base64url");
  }
}
