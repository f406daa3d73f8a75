import { hexToBytes } from "@noble/hashes/utils.js";
import { WarrenError } from "@warren/protocol";
import { fingerprintOfSdp, formatFingerprint } from "../../handshake/fingerprint.ts";
import { isUsableCandidate } from "../../ice/candidate-filter.ts";
import { frameCandidatesMax, type HostCandidate, type QrFrame, uuidOf } from "./qr-frame.ts";

/** What a description says that a frame carries. */
type Described = Pick<QrFrame, "fingerprint" | "ufrag" | "password" | "candidates">;

/**
 * A description with one data channel that every browser accepts. Only values that `readQrFrame` has checked stand in it, each
 * written anew from bytes or of a fixed alphabet.
 */
export function descriptionOf(frame: QrFrame): RTCSessionDescriptionInit {
  const isOffer = frame.kind === "invitation";
  const lines = [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    `a=ice-ufrag:${frame.ufrag}`,
    `a=ice-pwd:${frame.password}`,
    `a=fingerprint:sha-256 ${formatFingerprint(frame.fingerprint)}`,
    `a=setup:${isOffer ? "actpass" : "active"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    "a=max-message-size:262144",
    ...frame.candidates
      .map((candidate, index) => lineOf(candidate, index))
      .filter((line) => isUsableCandidate(line))
      .map((line) => `a=${line}`),
    "a=end-of-candidates",
  ];
  return { type: isOffer ? "offer" : "answer", sdp: `${lines.join("\r\n")}\r\n` };
}

/** Reads our own description. @throws WarrenError `code-invalid` when the browser describes no way to reach us. */
export function describedBy(sdp: string): Described {
  const value = (name: string): string => new RegExp(`^a=${name}:(\\S+)`, "m").exec(sdp)?.[1] ?? "";
  const candidates = [...sdp.matchAll(/^a=(candidate:[^\r\n]*)/gm)]
    .map(([, line = ""]) => line)
    .filter((line) => / typ host\b/.test(line) && isUsableCandidate(line))
    .flatMap((line) => candidateOf(line) ?? []);
  if (candidates.length === 0) throw new WarrenError("code-invalid", { issue: "no address" });
  return {
    fingerprint: fingerprintOfSdp(sdp),
    ufrag: value("ice-ufrag"),
    password: value("ice-pwd"),
    candidates: candidates.sort((one, other) => rank(one) - rank(other)).slice(0, frameCandidatesMax),
  };
}

/** IPv4 first: every local network has it. */
function rank({ kind }: HostCandidate): number {
  return ["ipv4", "mdns", "ipv6"].indexOf(kind);
}

function lineOf({ kind, address, port }: HostCandidate, index: number): string {
  const priority = 2_130_706_431 - index * 256;
  return `candidate:${index + 1} 1 udp ${priority} ${addressText(kind, address)} ${port} typ host`;
}

function addressText(kind: HostCandidate["kind"], address: Uint8Array): string {
  if (kind === "ipv4") return address.join(".");
  if (kind === "mdns") return `${uuidOf(address)}.local`;
  const groups = Array.from({ length: 8 }, (_, index) => {
    const [high = 0, low = 0] = address.subarray(2 * index);
    return (high * 256 + low).toString(16);
  });
  return groups.join(":");
}

function candidateOf(line: string): HostCandidate | null {
  const [, , , , host = "", port = ""] = line.split(" ");
  const [, uuid] = /^([0-9a-f-]{36})\.local$/i.exec(host) ?? [];
  const at = { port: Number(port) };
  if (uuid !== undefined) return { kind: "mdns", address: hexToBytes(uuid.replaceAll("-", "")), ...at };
  if (host.includes(":")) return { kind: "ipv6", address: ipv6Bytes(host), ...at };
  if (/^[\d.]+$/.test(host))
    return { kind: "ipv4", address: Uint8Array.from(host.split("."), Number), ...at };
  return null;
}

function ipv6Bytes(host: string): Uint8Array {
  // The canonical notation has at most one gap.
  const [before = "", after] = new URL(`http://[${host}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (text: string) => text.split(":").filter(Boolean);
  const [head, tail] = [groupsOf(before), groupsOf(after ?? "")];
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return hexToBytes([...head, ...gap, ...tail].map((group) => group.padStart(4, "0")).join(""));
}
