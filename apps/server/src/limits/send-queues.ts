import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";
import { readIpAddress } from "@warren/protocol/ip-address";

/** The addresses and ports of a connection. */
export type SocketEnds = Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">;

/** The bytes of one TCP connection that the other end has not acknowledged. */
export interface SendQueue {
  readonly localPort: number;
  readonly remotePort: number;
  /** As {@link endsOf} writes them. */
  readonly ends: string;
  readonly bytes: number;
}

/**
 * The send queues of this machine that are not empty, those of connections that their process has closed included: only
 * the system knows them, as Node reports what it took over as written. Linux only.
 * @returns undefined where the system does not show them
 */
export async function readSendQueues(): Promise<readonly SendQueue[] | undefined> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/self/net/${name}`, "latin1").catch(() => undefined)),
  );
  if (tables.every((table) => table === undefined)) return undefined;
  return tables.flatMap((table) => parseSendQueues(table ?? ""));
}

const line =
  /^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]{2} (?!00000000)([0-9A-F]{8}):/gm;
const listening = "0000";
const mapped = /^0{16}FFFF0000/;

/** @param table of Linux, as in `/proc/net/tcp` and `/proc/net/tcp6` */
export function parseSendQueues(table: string): SendQueue[] {
  return [...table.matchAll(line)].flatMap(([, local = "", at = "", remote = "", from = "", bytes = ""]) => {
    if (from === listening) return [];
    const [localPort, remotePort] = [Number.parseInt(at, 16), Number.parseInt(from, 16)];
    const ends = joined(local.replace(mapped, ""), localPort, remote.replace(mapped, ""), remotePort);
    return [{ localPort, remotePort, ends, bytes: Number.parseInt(bytes, 16) }];
  });
}

/** Identifies a connection: no two open ones have the same ends. */
export function endsOf({ localAddress, localPort, remoteAddress, remotePort }: SocketEnds): string {
  return joined(hexOf(localAddress), localPort, hexOf(remoteAddress), remotePort);
}

function joined(local: string, localPort = 0, remote: string, remotePort = 0): string {
  return `${local}:${localPort} ${remote}:${remotePort}`;
}

/** An address as Linux writes it: each four bytes are a number in its own byte order. */
function hexOf(address = ""): string {
  const bytes = readIpAddress(address)?.toByteArray() ?? [];
  const hex = bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"));
  const words = Array.from({ length: hex.length / 4 }, (_, index) => hex.slice(4 * index, 4 * index + 4));
  return words.flatMap((word) => (endianness() === "LE" ? word.reverse() : word)).join("");
}
