import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The unit that limits apply to: an IPv4 address or an IPv6 /64. */
export interface ClientAddress {
  readonly key: string;
  /** Loopback, private or link-local. */
  readonly isPrivate: boolean;
}

const privateRanges = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  privateRanges.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  privateRanges.addSubnet(network, prefix, "ipv6");
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
  if (isIP(ip)) return toClientAddress(ip);
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
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (isIP(plain) !== 6) {
    return { key: plain, isPrivate: isIP(plain) === 4 && privateRanges.check(plain, "ipv4") };
  }
  return { key: prefix64(plain), isPrivate: privateRanges.check(plain, "ipv6") };
}

/** The networks of an address: its household and, for IPv6, its site. */
export function networksOf({ key }: ClientAddress): { readonly household: string; readonly site?: string } {
  const [, site, fourth] = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64$/.exec(key) ?? [];
  if (site === undefined || fourth === undefined) return { household: key };
  const household = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return { household: `${site}${household}::/56`, site: `${site}:/48` };
}

function prefix64(ip: string): string {
  const groups = groupsOf(ip).slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The eight groups of an IPv6 address. An IPv4 tail is read only as far as its length: it never reaches a prefix. */
export function groupsOf(ip: string): readonly number[] {
  const [head = "", tail] = ip.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  // An IPv4 tail stands for two groups.
  const width = after.at(-1)?.includes(".") ? after.length + 1 : after.length;
  const zeros = Array<string>(Math.max(0, 8 - before.length - width)).fill("0");
  const groups = [...before, ...(tail === undefined ? [] : zeros), ...after];
  return groups.map((group) => Number.parseInt(group, 16));
}
