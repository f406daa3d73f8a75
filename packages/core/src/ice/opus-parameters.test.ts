import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withOpusParameters } from "./opus-parameters.ts";

const section = (mid: string, fmtp = "a=fmtp:111 minptime=10;useinbandfec=1\r\n") =>
  `m=audio 9 UDP/TLS/RTP/SAVPF 111 63\r\na=mid:${mid}\r\na=rtpmap:111 opus/48000/2\r\n${fmtp}a=rtpmap:63 red/48000/2\r\na=fmtp:63 111/111\r\n`;
const video = "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:1\r\na=rtpmap:96 VP8/90000\r\n";
const sends = (mid: string | null, contentHint: string | null) =>
  ({ mid, sender: { track: contentHint === null ? null : { contentHint } } }) as unknown as RTCRtpTransceiver;

describe("the parameters of Opus", () => {
  it("follow the content of each section, and keep other parameters of the other side", () => {
    const head = "v=0\r\n";
    const sdp = withOpusParameters(head + section("0") + video + section("2"), [
      sends("0", "speech"),
      sends("1", "speech"),
      sends("2", "music"),
    ]);
    expect(sdp).toBe(
      head +
        section("0", "a=fmtp:111 minptime=10;useinbandfec=1;stereo=0;usedtx=1\r\n") +
        video +
        section("2", "a=fmtp:111 minptime=10;useinbandfec=1;stereo=1;usedtx=0;maxaveragebitrate=128000\r\n"),
    );
  });

  it("are added if the other side names none", () => {
    const sdp = withOpusParameters(section("0", ""), [sends("0", "speech")]);
    expect(sdp).toContain("a=rtpmap:111 opus/48000/2\r\na=fmtp:111 stereo=0;usedtx=1;useinbandfec=1\r\n");
  });

  it.each([null, "", "motion"])("leave sections with the content hint %j unchanged", (hint) => {
    expect(withOpusParameters(section("0"), [sends("0", hint)])).toBe(section("0"));
  });

  it("leave any other text unchanged", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(withOpusParameters(text, [sends("0", "speech"), sends(null, "music")])).toBe(text);
      }),
    );
  });
});
