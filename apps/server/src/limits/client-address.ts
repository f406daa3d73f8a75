import type { IncomingMessage } from "node:http";
import { type IpAddress, isPrivateAddress, readIpAddress } from "@warren/protocol/ip-address";

/** The unit that limits apply to: an IPv4 address or an IPv6 /64. */
export interface ClientAddress {
  readonly key: string;
  /** Loopback, private or link-local. */
  readonly isPrivate: boolean;
}

/**
 * The address of the client behind `trustedProxyHops` proxies of our own. Entries of X-Forwarded-For further left could
 * be forged by the client and are ignored. Without a valid entry, all such clients of a proxy count as one public address,
 * which is no other client's, and `onUnreadable` is called.
 */
export function readClientAddress(
  request: IncomingMessage,
  trustedProxyHops: number,
  onUnreadable: () => void = () => {},
): ClientAddress {
  const peer = request.socket.remoteAddress ?? "";
  if (trustedProxyHops === 0) return toClientAddress(peer);
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",");
  const claimed = (forwarded.at(-trustedProxyHops) ?? "").trim();
  const ip = withoutPort(claimed);
  if (readIpAddress(ip)) return toClientAddress(ip);
  onUnreadable();
  return { key: `behind ${toClientAddress(peer).key}`, isPrivate: false };
}

/** Some proxies append the client's port. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

/** Groups an IP address for limits. */
export function toClientAddress(ip: string): ClientAddress {
  const address = readIpAddress(ip);
  if (address === null) return { key: ip, isPrivate: false };
  return { key: keyOf(address), isPrivate: isPrivateAddress(address) };
}

function keyOf(address: IpAddress): string {
  if (!("parts" in address)) return address.toString();
  const prefix = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(":")}::/64`;
}

/** The networks of an address: its household and, for IPv6, its site. */
export function networksOf({ key }: ClientAddress): { readonly household: string; readonly site?: string } {
  const [, site, fourth] = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64$/.exec(key) ?? [];
  if (site === undefined || fourth === undefined) return { household: key };
  const household = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return { household: `${site}${household}::/56`, site: `${site}:/48` };
}
