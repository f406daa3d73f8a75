import { isPrivateAddress, readIpAddress } from "@warren/protocol/ip-address";
import { answerOf } from "../ice/browser-answer.ts";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";

/** A candidate that a browser gathered. */
export interface GatheredCandidate {
  readonly type: string;
  readonly address: string;
  readonly port: number;
}

/**
 * Gathers all candidates of a connection without a peer, or those of the first `limitMs`.
 * Rejects with `webrtc-blocked`, or what creating a connection throws.
 */
export async function gatherCandidates(
  createPeerConnection: CreatePeerConnection,
  iceServers: RTCIceServer[],
  clock: Clock,
  limitMs: number,
): Promise<GatheredCandidate[]> {
  const connection = createPeerConnection({ iceServers });
  const gathered: GatheredCandidate[] = [];
  let cancel = (): void => {};
  try {
    const ended = new Promise<void>((resolve) => {
      cancel = clock.after(limitMs, resolve);
      connection.addEventListener("icecandidate", ({ candidate }) => {
        const read = candidate && candidateOf(candidate.candidate);
        if (candidate === null) resolve();
        else if (read) gathered.push(read);
      });
    });
    connection.createDataChannel("doctor");
    await answerOf(clock, "setLocalDescription", () => connection.setLocalDescription());
    await ended;
    return gathered;
  } finally {
    cancel();
    connection.close();
  }
}

function candidateOf(line: string): GatheredCandidate | null {
  const [, address = "", port, type = ""] =
    /^candidate:\S+ \d+ udp \d+ (\S+) (\d+) typ (\w+)/i.exec(line) ?? [];
  return address === "" ? null : { address, port: Number(port), type };
}

/** Whether a candidate is an address that everybody on the internet reaches. */
export function isPublic({ type, address }: GatheredCandidate): boolean {
  const ip = readIpAddress(address);
  return type === "host" && ip !== null && ip.kind() === "ipv4" && !isPrivateAddress(ip);
}

/** The addresses at which STUN servers see this machine over IPv4; over IPv6, hardly anything is translated. */
export function reflexive(candidates: readonly GatheredCandidate[]): readonly GatheredCandidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ type, address, port }) => {
    const isNew = !seen.has(`${address}:${port}`);
    if (type !== "srflx" || !isNew || readIpAddress(address)?.kind() !== "ipv4") return false;
    seen.add(`${address}:${port}`);
    return true;
  });
}
