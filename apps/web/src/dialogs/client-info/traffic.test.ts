import { expect, it } from "vitest";
import { noTraffic, trafficSeconds, withStats } from "./traffic.ts";

const stats = (sentBytes: number, receivedBytes: number) => ({
  sentBytes,
  receivedBytes,
  lossShare: null,
  roundTripMs: null,
  localCandidateType: "host",
  remoteCandidateType: "host",
});

it("works out bytes per second from two looks, however far apart", () => {
  const first = withStats(noTraffic, stats(1_000, 5_000), 10_000);
  expect(first.history).toEqual([]);
  const second = withStats(first, stats(1_500, 9_000), 12_000);
  expect(second).toMatchObject({
    sendingBytesPerSecond: 250,
    receivingBytesPerSecond: 2_000,
    history: [2_250],
  });
});

it("never goes below zero when another route begins to count anew", () => {
  const first = withStats(noTraffic, stats(1_000, 5_000), 0);
  expect(withStats(first, stats(10, 20), 1_000)).toMatchObject({ sendingBytesPerSecond: 0, history: [0] });
});

it("shows a lost connection as silence and starts afresh after it", () => {
  const first = withStats(noTraffic, stats(0, 0), 0);
  const lost = withStats(withStats(first, stats(100, 0), 1_000), null, 2_000);
  expect(lost).toMatchObject({ sendingBytesPerSecond: 0, history: [100, 0], last: null });
  expect(withStats(lost, stats(9_999, 0), 3_000).history).toEqual([100, 0]);
});

it("keeps the last minute alone", () => {
  let traffic = noTraffic;
  for (let second = 0; second <= 200; second++)
    traffic = withStats(traffic, stats(second, 0), second * 1_000);
  expect(traffic.history).toEqual(new Array(trafficSeconds).fill(1));
});
