import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { endianness } from "node:os";
import { groupsOf } from "./client-address.ts";

/** The bytes of one TCP connection that the other end has not acknowledged. */
export interface SendQueue {
  readonly localPort: number;
  readonly remotePort: number;
  /** As {@link endsOf} writes them. */
  readonly ends: string;
  readonly bytes: number;
}

type Ends = { readonly [E in "localPort" | "remotePort" | "remoteAddress"]?: string | number | undefined };

/**
 * The send queues of this machine that are not empty, those of connections that their process has closed included: only
 * the system knows them, as Node reports what it took over as written. Linux only.
 * @returns undefined where the system does not tell
 */
export async function readSendQueues(): Promise<readonly SendQueue[] | undefined> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/self/net/${name}`, "latin1").catch(() => undefined)),
  );
  if (tables.every((table) => table === undefined)) return undefined;
  return tables.flatMap((table) => parseSendQueues(table ?? ""));
}

const line =
  /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]{2} (?!00000000)([0-9A-F]{8}):/gm;
const listening = "0000";
const mapped = "0000000000000000FFFF0000";

/** @param table of Linux, as in `/proc/net/tcp` and `/proc/net/tcp6` */
export function parseSendQueues(table: string): SendQueue[] {
  return [...table.matchAll(line)].flatMap(([, local = "", address = "", remote = "", bytes = ""]) => {
    if (remote === listening) return [];
    const [localPort, remotePort] = [Number.parseInt(local, 16), Number.parseInt(remote, 16)];
    const ip = address.startsWith(mapped) ? address.slice(mapped.length) : address;
    return [
      { localPort, remotePort, ends: `${localPort} ${remotePort} ${ip}`, bytes: Number.parseInt(bytes, 16) },
    ];
  });
}

/** Identifies a connection by its ports and the other end's address. */
export function endsOf({ localPort, remotePort, remoteAddress = "" }: Ends): string {
  const ip = String(remoteAddress)
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  const bytes = isIPv4(ip)
    ? ip.split(".").map(Number)
    : groupsOf(ip).flatMap((group) => [group >> 8, group & 0xff]);
  return `${localPort} ${remotePort} ${wordsOf(bytes)}`;
}

/** The system writes each four bytes as a number of its own byte order. */
function wordsOf(bytes: readonly number[]): string {
  const hex = bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"));
  const words = Array.from({ length: hex.length / 4 }, (_, index) => hex.slice(4 * index, 4 * index + 4));
  return words.flatMap((word) => (endianness() === "LE" ? word.reverse() : word)).join("");
}
