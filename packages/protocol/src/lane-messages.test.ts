import { expect, it } from "vitest";
import { limits } from "./limits.ts";
import { decodePeerMessage } from "./peer-message.ts";
import { peerMessages } from "./testing/samples.ts";

const exampleOf = (type: string) => peerMessages.find((message) => message.type === type);
const takes = (type: string, fields: object) =>
  decodePeerMessage(JSON.stringify({ ...exampleOf(type), ...fields })).ok;
const offers = (sdp: string) =>
  takes("lane-signal", { signal: { type: "offer", data: { type: "offer", sdp } } });
const names = (candidate: string) =>
  takes("lane-signal", { signal: { type: "candidate", data: { candidate } } });

it.each<[string, string, object]>([
  ["lane-signal", "no lane", { lane: undefined }],
  ["lane-signal", "a lane that is a path", { lane: "../../lane" }],
  ["lane-signal", "a lane id of 65 characters", { lane: "l".repeat(65) }],
  ["lane-signal", "no signal", { signal: undefined }],
  ["lane-signal", "a sealed signal", { signal: { type: "box", run: "r", seq: 1, kind: "offer", box: "b" } }],
  ["lane-signal", "an offer without a description", { signal: { type: "offer", data: { type: "offer" } } }],
  [
    "lane-signal",
    "an offer that holds an answer",
    { signal: { type: "offer", data: { type: "answer", sdp: "v=0" } } },
  ],
  ["lane-close", "a lane by number", { lane: 12_345_678 }],
])("%s is refused with %s", (type, _, fields) => {
  expect(takes(type, {})).toBe(true);
  expect(takes(type, fields)).toBe(false);
});

it("a lane's description and candidates have the same size limits as a session's", () => {
  expect(offers("v".repeat(limits.signalBytes))).toBe(true);
  expect(offers("v".repeat(limits.signalBytes + 1))).toBe(false);
  expect(names("c".repeat(1024))).toBe(true);
  expect(names("c".repeat(1025))).toBe(false);
});
