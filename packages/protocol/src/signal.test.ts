import { describe, expect, it } from "vitest";
import { decodeValue } from "./decode.ts";
import { limits } from "./limits.ts";
import { signalSchema } from "./signal.ts";
import { signals } from "./testing/samples.ts";

const takes = (signal: unknown) => decodeValue(signalSchema, signal).ok;
const offerOf = (sdp: unknown) => ({ type: "offer", data: { type: "offer", sdp } });
const candidateWith = (data: object) => ({
  type: "candidate",
  data: { candidate: "candidate:1", ...data },
});

describe("a signal", () => {
  it.each(signals)("may be one of type $type", (signal) => {
    expect(takes(signal)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["an offer that carries an answer", { type: "offer", data: { type: "answer", sdp: "v=0" } }],
    ["a rollback", { type: "rollback", data: { type: "rollback", sdp: "" } }],
    ["an offer without a description", offerOf("")],
    ["an offer with a description that is no text", offerOf({ length: 1 })],
    ["a candidate line past 65,535", candidateWith({ sdpMLineIndex: 65_536 })],
    ["a candidate line before the first", candidateWith({ sdpMLineIndex: -1 })],
  ])("is refused as %s", (_, signal) => {
    expect(takes(signal)).toBe(false);
  });

  it.each<[string, number, (length: number) => unknown]>([
    ["a session description", limits.signalBytes, (length) => offerOf("x".repeat(length))],
    ["a candidate", 1_024, (length) => candidateWith({ candidate: "x".repeat(length) })],
    ["a media id", 64, (length) => candidateWith({ sdpMid: "x".repeat(length) })],
    ["a user name fragment", 256, (length) => candidateWith({ usernameFragment: "x".repeat(length) })],
  ])("may have %s of %i characters and not one more", (_, length, build) => {
    expect(takes(build(length))).toBe(true);
    expect(takes(build(length + 1))).toBe(false);
  });

  it("may omit the optional fields of a candidate, and end a generation", () => {
    expect(takes(candidateWith({}))).toBe(true);
    expect(takes(candidateWith({ candidate: "", sdpMid: null, sdpMLineIndex: null }))).toBe(true);
  });
});
