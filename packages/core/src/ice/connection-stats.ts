import { finiteNumber, v } from "@warren/protocol";
import { entriesOf, selectedPairOf } from "./candidate-pair.ts";

/** The traffic of a connection, from its statistics. */
export interface ConnectionStats {
  /** Since the connection's route was chosen, including protocol overhead. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Audio and video, both directions. */
  readonly mediaBytes: number;
  /** The largest fraction of lost packets among the audio and video we send, 0 to 1; null if none are sent. */
  readonly lossFraction: number | null;
  /** The round trip time of a packet; null if the browser has not measured it. */
  readonly roundTripMs: number | null;
  /** The candidate types: `host`, `srflx`, `prflx` or `relay`; null if the browser does not report them. */
  readonly localCandidateType: string | null;
  readonly remoteCandidateType: string | null;
}

const lossSchema = v.object({
  type: v.literal("remote-inbound-rtp"),
  fractionLost: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});

const lossTypes = new Set(["remote-inbound-rtp"]);

const countSchema = v.fallback(v.pipe(finiteNumber, v.minValue(0)), 0);
const mediaSchema = v.object({ bytesSent: countSchema, bytesReceived: countSchema });

const mediaTypes = new Set(["inbound-rtp", "outbound-rtp"]);

/** Reads a statistics report; null before a pair of candidates is in use. */
export function connectionStatsOf(report: RTCStatsReport): ConnectionStats | null {
  const selected = selectedPairOf(report);
  if (selected === null) return null;
  const { pair, local, remote } = selected;
  let lossFraction: number | null = null;
  for (const entry of entriesOf(report, lossTypes)) {
    const loss = v.safeParse(lossSchema, entry);
    if (loss.success) lossFraction = Math.max(lossFraction ?? 0, loss.output.fractionLost);
  }
  return {
    sentBytes: pair.bytesSent ?? 0,
    receivedBytes: pair.bytesReceived ?? 0,
    mediaBytes: mediaBytesOf(report),
    lossFraction,
    roundTripMs:
      pair.currentRoundTripTime === undefined ? null : Math.round(pair.currentRoundTripTime * 1_000),
    localCandidateType: local?.candidateType ?? null,
    remoteCandidateType: remote?.candidateType ?? null,
  };
}

/** The bytes of audio and video on a connection, both directions. */
export function mediaBytesOf(report: RTCStatsReport): number {
  let bytes = 0;
  for (const entry of entriesOf(report, mediaTypes)) {
    const { bytesSent, bytesReceived } = v.parse(mediaSchema, entry);
    bytes += bytesSent + bytesReceived;
  }
  return bytes;
}
