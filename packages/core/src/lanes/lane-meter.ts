import { finiteNumber, v } from "@warren/protocol";
import { entriesOf, selectedPairOf } from "../ice/candidate-pair.ts";
import { mediaBytesOf } from "../ice/connection-stats.ts";
import type { LaneSample } from "./lane-policy.ts";

const channelSchema = v.object({
  type: v.literal("data-channel"),
  bytesSent: finiteNumber,
  bytesReceived: v.optional(finiteNumber),
});
const channelTypes = new Set(["data-channel"]);

/** Sums the traffic of all connections to a peer, from their statistics. */
export class LaneMeter {
  /** By connection; the bytes of closed connections remain in the total. */
  readonly #carriedBytes = new Map<string, number>();
  #totalBytes = 0;

  /**
   * @param session the statistics of the session's own connection
   * @param lanes the statistics of the open lanes, by id
   */
  sample(atMs: number, session: RTCStatsReport, lanes: ReadonlyMap<string, RTCStatsReport>): LaneSample {
    this.#add("", session);
    for (const [id, report] of lanes) this.#add(id, report);
    const mediaBytes = mediaBytesOf(session);
    return { atMs, movedBytes: this.#totalBytes, mediaBytes, connections: 1 + lanes.size };
  }

  #add(id: string, report: RTCStatsReport): void {
    const bytes = carriedBytesOf(report);
    // A lower value: a channel closed and is no longer counted.
    this.#totalBytes += Math.max(0, bytes - (this.#carriedBytes.get(id) ?? 0));
    this.#carriedBytes.set(id, bytes);
  }
}

/** Bytes sent and received by data channels; all bytes if the browser does not count channels. */
function carriedBytesOf(report: RTCStatsReport): number {
  let bytes: number | null = null;
  for (const entry of entriesOf(report, channelTypes)) {
    const channel = v.safeParse(channelSchema, entry);
    if (channel.success)
      bytes = (bytes ?? 0) + channel.output.bytesSent + (channel.output.bytesReceived ?? 0);
  }
  if (bytes !== null) return bytes;
  const pair = selectedPairOf(report)?.pair;
  return (pair?.bytesSent ?? 0) + (pair?.bytesReceived ?? 0);
}
