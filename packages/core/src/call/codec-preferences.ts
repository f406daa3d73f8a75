import type { VideoCodecs } from "../ports/video-codecs.ts";
import { codecOrder } from "./call-policy.ts";

/** The best codec and one that every browser decodes: more would lengthen descriptions, whose size is limited. */
const offeredMax = 2;
/** The profiles that every browser decodes; others are duplicates of the same codec. */
const usualProfile: Readonly<Record<string, RegExp>> = {
  "video/h264": /packetization-mode=1.*profile-level-id=42e01f/i,
  "video/vp9": /profile-id=0|^$/,
  "video/av1": /profile=0|^$/,
};
const repairs = "video/rtx";

/** The video codecs to offer, best first; empty if the browser should choose. */
export async function codecPreferences(codecs: VideoCodecs): Promise<readonly RTCRtpCodec[]> {
  const available = codecs.available();
  const usual = available.filter(
    ({ mimeType, sdpFmtpLine = "" }) =>
      /^video\/(?:vp8|vp9|av1|h264)$/i.test(mimeType) &&
      (usualProfile[mimeType.toLowerCase()]?.test(sdpFmtpLine) ?? true),
  );
  const abilities = await Promise.all(
    usual.map(async (codec) => ({
      mimeType: codec.mimeType,
      ...((await codecs.ability(codec).catch(() => null)) ?? { smooth: false, powerEfficient: false }),
    })),
  );
  const order = codecOrder(abilities);
  const ordered = [...usual].sort((a, b) => order.indexOf(a.mimeType) - order.indexOf(b.mimeType));
  const offered = ordered.slice(0, offeredMax);
  // Every browser decodes VP8.
  const vp8 = ordered.find(({ mimeType }) => mimeType.toLowerCase() === "video/vp8");
  if (vp8 !== undefined && offered.length > 0 && !offered.includes(vp8)) offered.splice(-1, 1, vp8);
  if (offered.length === 0) return [];
  return [...offered, ...available.filter(({ mimeType }) => mimeType.toLowerCase() === repairs).slice(0, 1)];
}
