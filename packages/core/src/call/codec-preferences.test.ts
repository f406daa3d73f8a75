import { expect, it } from "vitest";
import { codecPreferences } from "./codec-preferences.ts";

const codec = (mimeType: string, sdpFmtpLine?: string): RTCRtpCodec => ({
  mimeType,
  clockRate: 90_000,
  ...(sdpFmtpLine === undefined ? {} : { sdpFmtpLine }),
});

/** The codecs of Chromium, some in several profiles. */
const chromium = [
  codec("video/VP8"),
  codec("video/rtx"),
  codec("video/VP9", "profile-id=0"),
  codec("video/VP9", "profile-id=2"),
  codec("video/H264", "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f"),
  codec("video/H264", "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"),
  codec("video/AV1", "level-idx=5;profile=0;tier=0"),
  codec("video/AV1", "level-idx=5;profile=1;tier=0"),
  codec("video/red"),
  codec("video/ulpfec"),
];

const names = (codecs: readonly RTCRtpCodec[]) => codecs.map(({ mimeType }) => mimeType);

it("offers at most two codecs, each once, with the formats that repair losses", async () => {
  const offered = await codecPreferences({
    available: () => chromium,
    ability: async () => ({ smooth: true, powerEfficient: false }),
  });
  expect(names(offered)).toEqual(["video/VP9", "video/VP8", "video/rtx"]);
  expect(offered[0]?.sdpFmtpLine).toBe("profile-id=0");
});

it("always offers VP8, which every browser decodes", async () => {
  const offered = await codecPreferences({
    available: () => chromium,
    ability: async ({ mimeType }) =>
      mimeType === "video/VP8" ? null : { smooth: true, powerEfficient: mimeType === "video/AV1" },
  });
  expect(names(offered)).toEqual(["video/AV1", "video/VP8", "video/rtx"]);
});

it("leaves the choice to a browser that does not report its codecs", async () => {
  expect(await codecPreferences({ available: () => [], ability: async () => null })).toEqual([]);
});
