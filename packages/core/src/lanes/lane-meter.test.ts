import { describe, expect, it } from "vitest";
import { LaneMeter } from "./lane-meter.ts";

interface Told {
  /** The sent bytes of each data channel; omitted if the browser does not count them. */
  readonly channels?: readonly number[];
  readonly pairBytes?: number;
}

function reportOf({ channels = [], pairBytes = 0 }: Told): RTCStatsReport {
  const pair = { id: "p", type: "candidate-pair", localCandidateId: "l", remoteCandidateId: "r" };
  return new Map<string, object>([
    ["t", { type: "transport", selectedCandidatePairId: pair.id }],
    [pair.id, { ...pair, bytesSent: pairBytes }],
    ...channels.map((bytesSent, n): [string, object] => [`d${n}`, { type: "data-channel", bytesSent }]),
  ]);
}

const none = new Map<string, RTCStatsReport>();

describe("the meter of lanes", () => {
  it("sums the sent bytes of the channels of all connections", () => {
    const meter = new LaneMeter();
    const lanes = new Map([["lane-1", reportOf({ channels: [30] })]]);
    expect(meter.sample(0, reportOf({ channels: [10, 20], pairBytes: 1_000 }), lanes)).toMatchObject({
      movedBytes: 60,
      connections: 2,
    });
  });

  it("keeps the bytes of closed channels and lanes in the total", () => {
    const meter = new LaneMeter();
    meter.sample(0, reportOf({ channels: [100, 50] }), new Map([["lane-1", reportOf({ channels: [30] })]]));
    expect(meter.sample(1, reportOf({ channels: [50] }), none).movedBytes).toBe(180);
    expect(meter.sample(2, reportOf({ channels: [60] }), none).movedBytes).toBe(190);
  });

  it("counts all sent bytes if a browser does not count channels", () => {
    expect(new LaneMeter().sample(0, reportOf({ pairBytes: 700 }), none).movedBytes).toBe(700);
  });
});
