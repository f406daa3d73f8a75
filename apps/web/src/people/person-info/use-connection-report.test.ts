import { expect, it } from "vitest";
import { noTraffic, type Traffic, trafficSeconds, withStats } from "./use-connection-report.ts";

const stats = (sentBytes: number, receivedBytes: number, mediaBytes = 0) => ({
  sentBytes,
  receivedBytes,
  mediaBytes,
  lossFraction: null,
  roundTripMs: null,
  localCandidateType: "host",
  remoteCandidateType: "host",
});

const whileFilesMove = (traffic: Traffic, now: Parameters<typeof withStats>[1], atMs: number) =>
  withStats(traffic, now, atMs, true);

it("is computed in bytes per second from two measurements, whatever their distance", () => {
  const first = whileFilesMove(noTraffic, stats(1_000, 5_000), 10_000);
  expect(first.history).toEqual([]);
  const second = whileFilesMove(first, stats(1_500, 9_000), 12_000);
  expect(second).toMatchObject({
    sendingBytesPerSecond: 250,
    receivingBytesPerSecond: 2_000,
    history: [2_250],
  });
});

it("is never negative when another route restarts the counters", () => {
  const first = whileFilesMove(noTraffic, stats(1_000, 5_000), 0);
  expect(whileFilesMove(first, stats(10, 20), 1_000)).toMatchObject({
    sendingBytesPerSecond: 0,
    history: [0],
  });
});

it("is zero while the connection is lost, and starts over afterwards", () => {
  const first = whileFilesMove(noTraffic, stats(0, 0), 0);
  const lost = whileFilesMove(whileFilesMove(first, stats(100, 0), 1_000), null, 2_000);
  expect(lost).toMatchObject({ sendingBytesPerSecond: 0, history: [100, 0], last: null });
  expect(whileFilesMove(lost, stats(9_999, 0), 3_000).history).toEqual([100, 0]);
});

it("covers only the last minute", () => {
  let traffic = noTraffic;
  for (let second = 0; second <= 200; second++)
    traffic = whileFilesMove(traffic, stats(second, 0), second * 1_000);
  expect(traffic.history).toEqual(new Array(trafficSeconds).fill(1));
});

it("ignores the overhead of an idle connection", () => {
  const idle = withStats(withStats(noTraffic, stats(0, 0), 0, false), stats(300, 200), 1_000, false);
  expect(idle).toMatchObject({ sendingBytesPerSecond: 0, receivingBytesPerSecond: 0, history: [0] });
  expect(withStats(idle, stats(1_300, 200), 2_000, true)).toMatchObject({
    sendingBytesPerSecond: 1_000,
    history: [0, 1_000],
  });
});

it("includes a call, which transfers no file", () => {
  const first = withStats(noTraffic, stats(0, 0, 10), 0, false);
  expect(withStats(first, stats(900, 600, 1_210), 1_000, false)).toMatchObject({
    sendingBytesPerSecond: 900,
    receivingBytesPerSecond: 600,
  });
});
