import type { Clock } from "../ports/clock.ts";

/** More than an honest machine needs: each of its networks has only a few candidates. */
export const candidatesPerGeneration = 32;
/** Honest browsers restart less often; each restart may bring as many candidates again. */
const restartEveryMs = 5_000;

/**
 * Decides which candidates of a peer are used. The browser sends packets to each candidate's address, so an unlimited
 * number of them would let a peer probe the ports of a machine or network.
 */
export class CandidateFilter {
  readonly #clock: Clock;
  #left = candidatesPerGeneration;
  #generation: string | null = null;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a candidate line. @returns whether it may be used. */
  admits(candidate: string): boolean {
    if (!isUsableCandidate(candidate) || this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /**
   * Filters a session description. Lines are ended anew, and one that mentions a candidate other than browsers write it is
   * dropped: they differ in what ends a line and what is a name, so one could read a candidate where this code saw none.
   * @returns it without forbidden candidates, and whether it restarts ICE.
   */
  describe(sdp: string): { readonly sdp: string; readonly isRestart: boolean } {
    const generation = /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? null;
    const isRestart = this.#generation !== null && generation !== this.#generation;
    if (isRestart && this.#clock.elapsedMs() - this.#renewedAtMs >= restartEveryMs)
      this.#left = candidatesPerGeneration;
    if (generation !== this.#generation) this.#renewedAtMs = this.#clock.elapsedMs();
    this.#generation = generation;
    const kept = sdp
      .split(/\r\n|\r|\n/)
      .filter((line) => line !== "" && (!/candidate/i.test(line) || this.#keeps(line)));
    return { sdp: kept.map((line) => `${line}\r\n`).join(""), isRestart };
  }

  #keeps(line: string): boolean {
    return line === "a=end-of-candidates" || (line.startsWith("a=candidate:") && this.admits(line.slice(2)));
  }
}

/** As browsers write it, apart from the address: nothing that a browser could take for the end of a field or a line. */
const usable = /^candidate:[!-~]+ \d+ udp \d+ ([!-~]+) [1-9]\d{0,4} typ [ -~]+$/i;

/**
 * Whether a candidate can lead to a peer: over UDP, to a unicast address of another machine, or to an mDNS name,
 * behind which browsers hide local addresses. Other names would cause a DNS lookup.
 */
export function isUsableCandidate(candidate: string): boolean {
  const address = usable.exec(candidate)?.[1];
  if (address === undefined) return false;
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
  // Unspecified, loopback, multicast, and IPv4-mapped addresses, which could bypass the IPv4 check.
  return !/^(::|::1|ff.*|::ffff:.*|::[\da-f]+:[\da-f]+)$/.test(canonical);
}
