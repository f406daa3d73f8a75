import { z } from "@warren/protocol";
import { selectedPairOf } from "../candidate-pair.ts";
import { entriesOf } from "../stats-entries.ts";
import type { LaneSample } from "./lane-policy.ts";

const channelSchema = z.object({ type: z.literal("data-channel"), bytesSent: z.number() });
const channelTypes = new Set(["data-channel"]);

/** Adds up what the connections to another client have sent, from their statistics. */
export class LaneMeter {
  /** By connection; what a closed one sent stays in the sum. */
  readonly #sentBytes = new Map<string, number>();
  #totalBytes = 0;

  /**
   * @param session the statistics of the session's own connection.
   * @param lanes those of the open lanes, by their ids.
   */
  sample(atMs: number, session: RTCStatsReport, lanes: ReadonlyMap<string, RTCStatsReport>): LaneSample {
    this.#add("", session);
    for (const [id, report] of lanes) this.#add(id, report);
    return { atMs, sentBytes: this.#totalBytes, connections: 1 + lanes.size };
  }

  #add(id: string, report: RTCStatsReport): void {
    const bytes = sentBytesOf(report);
    // Less than before: a channel has closed and is no longer counted.
    this.#totalBytes += Math.max(0, bytes - (this.#sentBytes.get(id) ?? 0));
    this.#sentBytes.set(id, bytes);
  }
}

/** What data channels have sent; where a browser does not count that, everything has been sent. */
function sentBytesOf(report: RTCStatsReport): number {
  let bytes: number | null = null;
  for (const entry of entriesOf(report, channelTypes)) {
    const channel = channelSchema.safeParse(entry);
    if (channel.success) bytes = (bytes ?? 0) + channel.data.bytesSent;
  }
  return bytes ?? selectedPairOf(report)?.pair.bytesSent ?? 0;
}
