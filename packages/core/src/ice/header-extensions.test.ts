import { expect, test } from "vitest";
import { HeaderExtensions } from "./header-extensions.ts";

const mid = "urn:ietf:params:rtp-hdrext:sdes:mid";
const level = "urn:ietf:params:rtp-hdrext:ssrc-audio-level";
const sources = "urn:ietf:params:rtp-hdrext:csrc-audio-level";
const sendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time";
const sdp = (...lines: readonly string[]) =>
  `${["v=0", "m=audio 9 x 111", ...lines, "a=mid:1"].join("\r\n")}\r\n`;

test("a description keeps the extensions that have the same id on both sides, or one that is free", () => {
  const extensions = new HeaderExtensions();
  extensions.add(sdp(`a=extmap:1 ${level}`, `a=extmap:4/sendonly ${mid}`));
  const theirs = sdp(`a=extmap:1/recvonly ${level}`, `a=extmap:2 ${sources}`, `a=extmap:4 ${mid}`);
  expect(extensions.without(theirs)).toBe(theirs);
});

test("it loses those whose id was given to another one, by any description so far", () => {
  const extensions = new HeaderExtensions();
  extensions.add(sdp(`a=extmap:2 ${sendTime}`));
  extensions.add(sdp(`a=extmap:4 ${mid}`));
  const theirs = sdp(
    `a=extmap:1 ${level}`,
    `a=extmap:2/recvonly ${sources}`,
    `a=extmap:4 ${sendTime} some attributes`,
  );
  expect(extensions.without(theirs)).toBe(sdp(`a=extmap:1 ${level}`));
});
