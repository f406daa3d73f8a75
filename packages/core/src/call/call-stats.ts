import type { ReceptionSample, SenderSample } from "./call-policy.ts";

/** The figures of the tracks on a connection in a statistics report, by `mid`. */
export interface CallStats {
  readonly senders: ReadonlyMap<string, Pick<SenderSample, "limitedBy">>;
  readonly receivers: ReadonlyMap<string, ReceiverStats>;
  readonly roundTripMs: number | null;
  /** Total bytes sent on the connection, files included; null if not reported. */
  readonly sentBytes: number | null;
  /** The lost fraction of our sound packets since the other side's previous report, 0 to 1. */
  readonly lossFraction: number | null;
  /** When the last such report arrived, in ms on the browser's clock. */
  readonly reportedAtMs: number | null;
}

/** The received media of one section. */
export interface ReceiverStats extends Omit<ReceptionSample, "atMs"> {
  readonly bytesReceived: number;
}

/** The entries of a report that are read; browsers omit values they do not measure. */
interface Entry {
  readonly type: string;
  readonly timestamp?: number;
  readonly kind?: string;
  readonly mid?: string;
  readonly qualityLimitationReason?: SenderSample["limitedBy"];
  readonly packetsReceived?: number;
  readonly packetsLost?: number;
  readonly bytesReceived?: number;
  readonly framesDecoded?: number;
  readonly bytesSent?: number;
  readonly nominated?: boolean;
  readonly state?: string;
  readonly currentRoundTripTime?: number;
  readonly roundTripTime?: number;
  readonly fractionLost?: number;
}

/** Reads a report of `getStats`. */
export function readCallStats(report: RTCStatsReport): CallStats {
  const senders = new Map<string, Pick<SenderSample, "limitedBy">>();
  const receivers = new Map<string, ReceiverStats>();
  const roundTrips: number[] = [];
  const losses: number[] = [];
  let reportedAtMs: number | null = null;
  let sentBytes: number | null = null;
  report.forEach((entry: Entry) => {
    const { type, mid } = entry;
    if (type === "outbound-rtp" && mid !== undefined)
      senders.set(mid, { limitedBy: entry.qualityLimitationReason ?? "none" });
    else if (type === "inbound-rtp" && mid !== undefined) {
      const { packetsReceived = 0, packetsLost = 0, framesDecoded = 0, bytesReceived = 0 } = entry;
      receivers.set(mid, { packetsReceived, packetsLost, framesDecoded, bytesReceived });
    } else if (type === "remote-inbound-rtp") {
      if (entry.roundTripTime !== undefined) roundTrips.push(entry.roundTripTime);
      if (entry.kind !== "audio" || entry.fractionLost === undefined) return;
      losses.push(entry.fractionLost);
      reportedAtMs = Math.max(reportedAtMs ?? 0, entry.timestamp ?? 0);
    } else if (type === "candidate-pair" && entry.nominated === true && entry.state === "succeeded") {
      if (entry.bytesSent !== undefined) sentBytes = (sentBytes ?? 0) + entry.bytesSent;
      if (entry.currentRoundTripTime !== undefined) roundTrips.push(entry.currentRoundTripTime);
    }
  });
  return {
    senders,
    receivers,
    sentBytes,
    roundTripMs: roundTrips.length > 0 ? Math.max(...roundTrips) * 1_000 : null,
    reportedAtMs,
    lossFraction: losses.length > 0 ? Math.max(...losses) : null,
  };
}
