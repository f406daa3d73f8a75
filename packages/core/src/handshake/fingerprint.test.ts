import { randomBytes } from "@noble/hashes/utils.js";
import { WarrenError } from "@warren/protocol";
import { expect, test } from "vitest";
import { fingerprintOfSdp, formatFingerprint, parseFingerprint, requireFingerprint } from "./fingerprint.ts";

const fingerprint = Uint8Array.from({ length: 32 }, (_, i) => 5 * i);
const text = formatFingerprint(fingerprint);
const other = formatFingerprint(randomBytes(32));
const refusal = new WarrenError("handshake-failed", { reason: "fingerprint" });

/** A session description with these lines among the transport's attributes. */
const sdp = (...lines: string[]) =>
  [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "a=ice-ufrag:abcd",
    ...lines,
    "a=setup:actpass",
    "",
  ].join("\r\n");

test("writes a fingerprint as browsers do and reads it back", () => {
  expect(text).toMatch(/^00:05:0A:0F:(?:[0-9A-F]{2}:){27}9B$/);
  expect(parseFingerprint(text)).toEqual(fingerprint);
  expect(parseFingerprint(text.toLowerCase())).toEqual(fingerprint);
});

test("finds the fingerprint of a session description", () => {
  expect(fingerprintOfSdp(sdp(`a=fingerprint:sha-256 ${text}`))).toEqual(fingerprint);
  expect(fingerprintOfSdp(sdp(`a=fingerprint:SHA-256 ${text.toLowerCase()}`))).toEqual(fingerprint);
});

test("accepts the same line in each media section", () => {
  const line = `a=fingerprint:sha-256 ${text}`;
  expect(fingerprintOfSdp(sdp(line, "m=audio 9 UDP/TLS/RTP/SAVPF 111", line))).toEqual(fingerprint);
});

test.each([
  ["none", []],
  ["two that differ", [`a=fingerprint:sha-256 ${text}`, `a=fingerprint:sha-256 ${other}`]],
  ["another algorithm", [`a=fingerprint:sha-1 ${text.slice(0, 59)}`]],
  ["another algorithm beside", [`a=fingerprint:sha-256 ${text}`, `a=fingerprint:sha-512 ${text}`]],
  ["one that is too short", [`a=fingerprint:sha-256 ${text.slice(3)}`]],
  ["one that is too long", [`a=fingerprint:sha-256 ${text}:00`]],
  ["something behind it", [`a=fingerprint:sha-256 ${text} ${other}`]],
  [
    "a second behind a lone carriage return",
    [`a=fingerprint:sha-256 ${text}\ra=fingerprint:sha-256 ${other}`],
  ],
  ["a second with a space before it", [`a=fingerprint:sha-256 ${text}`, ` a=fingerprint:sha-256 ${other}`]],
  ["a second in other letters", [`a=fingerprint:sha-256 ${text}`, `A=FingerPrint:sha-256 ${other}`]],
])("refuses a session description with %s", (_, lines) => {
  expect(() => fingerprintOfSdp(sdp(...lines))).toThrow(refusal);
});

test("accepts a description only with the fingerprint that its sender committed to", () => {
  requireFingerprint(sdp(`a=fingerprint:sha-256 ${text}`), fingerprint);
  expect(() => requireFingerprint(sdp(`a=fingerprint:sha-256 ${other}`), fingerprint)).toThrow(refusal);
});
