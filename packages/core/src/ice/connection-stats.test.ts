import { expect, it } from "vitest";
import { connectionStatsOf } from "./connection-stats.ts";

const report = (...entries: object[]): RTCStatsReport =>
  new Map(entries.map((entry, i) => [String(i), entry])) as unknown as RTCStatsReport;

const transport = { type: "transport", selectedCandidatePairId: "used" };
const pair = {
  type: "candidate-pair",
  id: "used",
  localCandidateId: "l",
  remoteCandidateId: "r",
  bytesSent: 120,
  bytesReceived: 3_000,
};
const local = { type: "local-candidate", id: "l", candidateType: "host" };
const remote = { type: "remote-candidate", id: "r", candidateType: "srflx" };

it("counts the bytes of the pair in use and reports the candidate type of each end", () => {
  const other = { ...pair, id: "other", bytesSent: 9, bytesReceived: 9 };
  expect(connectionStatsOf(report(transport, other, pair, local, remote))).toEqual({
    sentBytes: 120,
    receivedBytes: 3_000,
    mediaBytes: 0,
    lossFraction: null,
    roundTripMs: null,
    localCandidateType: "host",
    remoteCandidateType: "srflx",
  });
});

it("reports the worst loss among sent media", () => {
  const streams = [0.02, 0.1, 7].map((fractionLost) => ({ type: "remote-inbound-rtp", fractionLost }));
  expect(connectionStatsOf(report(transport, pair, ...streams))?.lossFraction).toBe(0.1);
});

it("reports the round trip in milliseconds if the browser measured one", () => {
  const measured = { ...pair, currentRoundTripTime: 0.0123 };
  expect(connectionStatsOf(report(transport, measured))?.roundTripMs).toBe(12);
});

it("counts the bytes of audio and video, and skips values that are not numbers", () => {
  const streams = [
    { type: "inbound-rtp", bytesReceived: 500 },
    { type: "outbound-rtp", bytesSent: 70 },
    { type: "outbound-rtp", bytesSent: "many" },
    { type: "data-channel", bytesSent: 9, bytesReceived: 9 },
  ];
  expect(connectionStatsOf(report(transport, pair, ...streams))?.mediaBytes).toBe(570);
});

it("is null before a pair is in use", () => {
  expect(connectionStatsOf(report(transport, local, remote))).toBeNull();
});
