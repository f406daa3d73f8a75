import { expect, it } from "vitest";
import { readCallStats } from "./call-stats.ts";

/** Entries of a report, reduced to the fields that are read and similar ones. */
const report = (...entries: object[]) =>
  new Map(entries.map((entry, index) => [String(index), entry])) as unknown as RTCStatsReport;

it("reads a report of Chromium during a call", () => {
  const stats = readCallStats(
    report(
      {
        type: "candidate-pair",
        state: "succeeded",
        nominated: true,
        currentRoundTripTime: 0.021,
        bytesSent: 900,
      },
      { type: "candidate-pair", state: "frozen", nominated: false, currentRoundTripTime: 4, bytesSent: 7 },
      { type: "outbound-rtp", kind: "video", mid: "1", qualityLimitationReason: "bandwidth" },
      { type: "outbound-rtp", kind: "audio", mid: "2" },
      { type: "remote-inbound-rtp", kind: "audio", roundTripTime: 0.035, fractionLost: 0.02, timestamp: 70 },
      { type: "remote-inbound-rtp", kind: "video", roundTripTime: 0.02, fractionLost: 0.4 },
      {
        type: "inbound-rtp",
        kind: "video",
        mid: "3",
        packetsReceived: 90,
        packetsLost: -1,
        framesDecoded: 30,
        bytesReceived: 81_000,
      },
    ),
  );
  expect([...stats.senders]).toEqual([
    ["1", { limitedBy: "bandwidth" }],
    ["2", { limitedBy: "none" }],
  ]);
  expect([...stats.receivers]).toEqual([
    ["3", { packetsReceived: 90, packetsLost: -1, framesDecoded: 30, bytesReceived: 81_000 }],
  ]);
  expect(stats.roundTripMs).toBe(35);
  expect(stats.lossFraction).toBe(0.02);
  expect(stats.reportedAtMs).toBe(70);
  expect(stats.sentBytes).toBe(900);
});

it("returns nulls for an empty report", () => {
  expect(readCallStats(report())).toEqual({
    senders: new Map(),
    receivers: new Map(),
    sentBytes: null,
    roundTripMs: null,
    lossFraction: null,
    reportedAtMs: null,
  });
});
