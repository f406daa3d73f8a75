import type { Clock } from "../ports/clock.ts";

/** More than an honest machine needs, whose networks have a few candidates each. */
export const candidatesPerGeneration = 32;
/** Restarts of honest browsers are rarer; each brings as many candidates again. */
const restartEveryMs = 5_000;

/**
 * Decides which candidates of one side are used. Each is an address to which a browser sends packets, so whoever may name
 * any number of them can have the ports of a machine or a network probed.
 */
export class CandidateFilter {
  readonly #clock: Clock;
  #left = candidatesPerGeneration;
  #generation: string | null = null;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a candidate line in. @returns whether it may be used. */
  admits(candidate: string): boolean {
    if (!isUsableCandidate(candidate) || this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /**
   * Takes the description of a side in.
   * @returns it without the candidates that may not be used, and whether it restarts the search for a path.
   */
  describe(sdp: string): { readonly sdp: string; readonly isRestart: boolean } {
    const generation = /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? null;
    const isRestart = this.#generation !== null && generation !== this.#generation;
    if (isRestart && this.#clock.elapsedMs() - this.#renewedAtMs >= restartEveryMs)
      this.#left = candidatesPerGeneration;
    if (generation !== this.#generation) this.#renewedAtMs = this.#clock.elapsedMs();
    this.#generation = generation;
    const kept = sdp.replace(/^a=(candidate:[^\r\n]*)\r?\n/gm, (line, candidate: string) =>
      this.admits(candidate) ? line : "",
    );
    return { sdp: kept, isRestart };
  }
}

/**
 * Whether a candidate leads to where a peer may be: over UDP, to an address of one machine other than this one, or to
 * a name of mDNS, behind which browsers hide addresses of the local network. Other names would be looked up.
 */
export function isUsableCandidate(candidate: string): boolean {
  const [, , transport = "", , address = "", port = ""] = candidate.split(" ");
  if (transport.toLowerCase() !== "udp" || !/^[1-9]\d{0,4}$/.test(port)) return false;
  if (/^[\w-]+\.local$/i.test(address)) return true;
  if (address.includes(":")) return isUsableV6(address);
  return isUsableV4(address);
}

function isUsableV4(address: string): boolean {
  const parts = address.split(".").map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN));
  if (parts.length !== 4 || !parts.every((part) => part <= 255)) return false;
  const [first = 0] = parts;
  // "This network", loopback, and from 224 on multicast, reserved and broadcast.
  return first !== 0 && first !== 127 && first < 224;
}

function isUsableV6(address: string): boolean {
  let canonical: string;
  try {
    canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  } catch {
    return false;
  }
  // Unspecified, loopback, multicast, and IPv4 written as IPv6, which says the same another way.
  return !/^(::|::1|ff.*|::ffff:.*|::[\da-f]+:[\da-f]+)$/.test(canonical);
}
