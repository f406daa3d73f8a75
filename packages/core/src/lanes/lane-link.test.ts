import type { Signal } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { formatFingerprint } from "../handshake/fingerprint.ts";
import { LaneLink } from "./lane-link.ts";

const fingerprint = new Uint8Array(32).fill(7);
const lineOf = (bytes: Uint8Array) => `a=fingerprint:sha-256 ${formatFingerprint(bytes)}`;
const candidate: Signal = { type: "candidate", data: { candidate: "candidate:1" } };

function described(type: "offer" | "answer", ...lines: string[]): Signal {
  const sdp = ["v=0", "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", ...lines, ""].join("\r\n");
  return type === "offer" ? { type, data: { type, sdp } } : { type, data: { type, sdp } };
}

function open(remoteFingerprint: Uint8Array | null = fingerprint) {
  const received: Signal[] = [];
  const violations: string[] = [];
  const link = new LaneLink({
    remoteFingerprint,
    send: () => {},
  });
  link.on("violation", (issue) => violations.push(issue));
  return {
    link,
    received,
    violations,
    listen: () => {
      link.on("signal", (signal) => received.push(signal));
      link.start();
    },
  };
}

describe("the link of a lane", () => {
  it.each(["offer", "answer"] as const)("accepts an %s with the session's certificate", (type) => {
    const { link, received, violations, listen } = open();
    listen();
    link.receive(described(type, lineOf(fingerprint)));
    expect(received).toHaveLength(1);
    expect(violations).toEqual([]);
  });

  it.each([
    ["another certificate", [lineOf(new Uint8Array(32).fill(8))], "lane of another certificate"],
    [
      "a second certificate beside the right one",
      [lineOf(fingerprint), lineOf(new Uint8Array(32).fill(8))],
      "lane of another certificate",
    ],
    ["no certificate", [], "lane of another certificate"],
    ["sound", [lineOf(fingerprint), "m=audio 9 UDP/TLS/RTP/SAVPF 111"], "lane with media"],
  ])("rejects a description with %s", (_what, lines, issue) => {
    for (const type of ["offer", "answer"] as const) {
      const { link, received, violations, listen } = open();
      listen();
      link.receive(described(type, ...lines));
      expect(violations).toEqual([issue]);
      expect(received).toEqual([]);
    }
  });

  it("accepts one description and the first 32 candidates", () => {
    const { link, received, violations, listen } = open();
    listen();
    for (let n = 0; n < 280; n++) link.receive(candidate);
    link.receive(described("offer", lineOf(fingerprint)));
    link.receive(described("offer", lineOf(fingerprint)));
    expect(received).toHaveLength(33);
    expect(violations).toEqual(["lane described twice"]);
  });

  it("queues signals that arrive before there is a connection, in order", () => {
    const { link, received, listen } = open();
    link.receive(described("offer", lineOf(fingerprint)));
    link.receive(candidate);
    listen();
    expect(received.map(({ type }) => type)).toEqual(["offer", "candidate"]);
  });
});
