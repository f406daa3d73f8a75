import { describe, expect, it, vi } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Route } from "./peer.ts";
import { RouteWatch, routeOf } from "./route.ts";

type Candidate = { candidateType: string; address?: string; url?: string };

const reportOf = (
  local: Candidate,
  remote: Candidate,
  seconds?: number,
  selection: object[] = [{ id: "t", type: "transport", selectedCandidatePairId: "p" }],
): RTCStatsReport =>
  new Map(
    [
      { id: "other", type: "candidate-pair", localCandidateId: "r", remoteCandidateId: "r", state: "failed" },
      {
        id: "p",
        type: "candidate-pair",
        localCandidateId: "l",
        remoteCandidateId: "r",
        ...(seconds !== undefined && { currentRoundTripTime: seconds }),
      },
      { id: "l", type: "local-candidate", ...local },
      { id: "r", type: "remote-candidate", ...remote },
      { id: "x", type: "inbound-rtp", kind: "video" },
      ...selection,
    ].map((entry): [string, unknown] => [(entry as { id: string }).id, entry]),
  );
const hostAt = (address: string) => ({ candidateType: "host", address });
const learntAt = (address: string) => ({ candidateType: "prflx", address });
const host = hostAt("192.168.1.2");

describe("the route of a connection", () => {
  it.each<[string, Candidate, Candidate, Route["kind"]]>([
    ["two hosts", host, host, "direct-local"],
    [
      "a peer-reflexive candidate of the local network",
      host,
      { candidateType: "prflx", address: "10.0.0.7" },
      "direct-local",
    ],
    ["a hidden peer-reflexive candidate", host, { candidateType: "prflx", address: "" }, "direct-local"],
    [
      "a public peer-reflexive candidate",
      host,
      { candidateType: "prflx", address: "203.0.113.9" },
      "direct-internet",
    ],
    ["public hosts of two networks", hostAt("203.0.113.9"), hostAt("198.51.100.7"), "direct-internet"],
    ["public hosts of one network", hostAt("203.0.113.9"), hostAt("203.0.113.77"), "direct-local"],
    ["a private host and a public one", host, hostAt("198.51.100.7"), "direct-internet"],
    [
      "public hosts of two IPv6 networks",
      hostAt("2001:db8:1::1"),
      hostAt("2001:db8:2::1"),
      "direct-internet",
    ],
    [
      "a hidden host, learnt at the same IPv6 network",
      hostAt("2001:db8::1"),
      learntAt("2001:db8::2"),
      "direct-local",
    ],
    ["a hidden host and a public one", hostAt(""), hostAt("2001:db8::1"), "direct-local"],
    ["hosts named by mDNS", hostAt("1b2c.local"), hostAt("3d4e.local"), "direct-local"],
    ["a server-reflexive candidate", { candidateType: "srflx" }, host, "direct-internet"],
    ["a relay at our side", { candidateType: "relay" }, host, "relayed"],
    ["a relay at the other side", host, { candidateType: "relay" }, "relayed"],
  ])("over %s", (_what, local, remote, kind) => {
    expect(routeOf(reportOf(local, remote))?.kind).toBe(kind);
  });

  it("names the relay's host", () => {
    const relay = {
      candidateType: "relay",
      address: "198.51.100.1",
      url: "turns:relay.test:5349?transport=tcp",
    };
    expect(routeOf(reportOf(relay, host))?.relayHost).toBe("relay.test");
    expect(routeOf(reportOf(host, { candidateType: "relay", address: "198.51.100.1" }))?.relayHost).toBe(
      "198.51.100.1",
    );
    expect(routeOf(reportOf(host, host))?.relayHost).toBeNull();
  });

  it("is derived from the pair in use, in any browser's format, and null before there is one", () => {
    const nominated = {
      id: "p",
      type: "candidate-pair",
      localCandidateId: "l",
      remoteCandidateId: "r",
      nominated: true,
      state: "succeeded",
    };
    expect(routeOf(reportOf(host, host, 0, [nominated]))?.kind).toBe("direct-local");
    expect(routeOf(reportOf(host, host, 0, [{ ...nominated, nominated: false, selected: true }]))?.kind).toBe(
      "direct-local",
    );
    expect(routeOf(reportOf(host, host, 0, []))).toBeNull();
    expect(routeOf(new Map())).toBeNull();
  });

  it("is measured every 5 s and reported when it changes", async () => {
    const clock = new FakeClock();
    let report = reportOf(host, host, 0.01);
    const reported = vi.fn();
    const watch = new RouteWatch(async () => report, clock);
    watch.on("route", reported);
    await clock.advance(5_000);
    report = reportOf({ candidateType: "relay" }, host, 0.01);
    await clock.advance(5_000);
    expect(reported.mock.calls.map(([{ kind }]) => kind)).toEqual(["direct-local", "relayed"]);
    watch.stop();
    expect(clock.timerCount).toBe(0);
  });

  it("does not report its constantly changing round trip time, but keeps the last one", async () => {
    const clock = new FakeClock();
    let report = reportOf(host, host);
    const reported = vi.fn();
    const watch = new RouteWatch(async () => report, clock);
    watch.on("route", reported);
    await clock.advance(0);
    expect(watch.roundTripMs).toBeNull();
    for (const seconds of [0.01, 0.08, 0.03]) {
      report = reportOf(host, host, seconds);
      await clock.advance(5_000);
      expect(watch.roundTripMs).toBe(seconds * 1_000);
    }
    expect(reported).toHaveBeenCalledTimes(1);
    watch.stop();
  });

  it("is not reported for a connection without statistics", async () => {
    const clock = new FakeClock();
    const reported = vi.fn();
    const watch = new RouteWatch(() => Promise.reject(new Error("closed")), clock);
    watch.on("route", reported);
    await clock.advance(10_000);
    watch.stop();
    expect(reported).not.toHaveBeenCalled();
  });
});
