import { describe, expect, it } from "vitest";
import { LaneMeter } from "./lane-meter.ts";

interface Told {
  /** What each data channel has sent; left out where the browser does not count it. */
  readonly channels?: readonly number[];
  readonly pairBytes?: number;
  readonly pair?: string;
  readonly roundTripMs?: number;
}

function reportOf({ channels = [], pairBytes = 0, pair = "p", roundTripMs = 50 }: Told): RTCStatsReport {
  const ends = { localCandidateId: "l", remoteCandidateId: "r" };
  return new Map<string, object>([
    ["t", { type: "transport", selectedCandidatePairId: pair }],
    [
      pair,
      {
        id: pair,
        type: "candidate-pair",
        ...ends,
        bytesSent: pairBytes,
        currentRoundTripTime: roundTripMs / 1_000,
      },
    ],
    ...channels.map((bytesSent, n): [string, object] => [`d${n}`, { type: "data-channel", bytesSent }]),
  ]);
}

const none = new Map<string, RTCStatsReport>();

describe("the meter of lanes", () => {
  it("adds up what the channels of all connections have sent", () => {
    const meter = new LaneMeter();
    const lanes = new Map([["lane-1", reportOf({ channels: [30] })]]);
    expect(meter.sample(0, reportOf({ channels: [10, 20], pairBytes: 1_000 }), lanes)).toMatchObject({
      sentBytes: 60,
      connections: 2,
    });
  });

  it("keeps in the sum what closed channels and lanes have sent", () => {
    const meter = new LaneMeter();
    meter.sample(0, reportOf({ channels: [100, 50] }), new Map([["lane-1", reportOf({ channels: [30] })]]));
    expect(meter.sample(1, reportOf({ channels: [50] }), none).sentBytes).toBe(180);
    expect(meter.sample(2, reportOf({ channels: [60] }), none).sentBytes).toBe(190);
  });

  it("takes all that was sent where a browser does not count channels", () => {
    expect(new LaneMeter().sample(0, reportOf({ pairBytes: 700 }), none).sentBytes).toBe(700);
  });

  it("takes the shortest round trip of a path, and begins anew on another", () => {
    const meter = new LaneMeter();
    const measured = [
      { roundTripMs: 40 },
      { roundTripMs: 8 },
      { roundTripMs: 300 },
      { roundTripMs: 90, pair: "other" },
    ].map((told) => meter.sample(0, reportOf(told), none).roundTripMs);
    expect(measured).toEqual([40, 8, 8, 90]);
  });
});
