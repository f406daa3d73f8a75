import type { VideoCodecs } from "@warren/core";

const probe = { width: 1920, height: 1080, framerate: 30, bitrate: 3_000_000 };

/** With reordered codecs, Firefox creates a description that Chromium cannot parse, so its order is kept. */
const keepsItsOrder = navigator.userAgent.includes("Firefox/");

/** The video codecs of this browser, and how well it encodes each. */
export const videoCodecs: VideoCodecs = {
  available: () => {
    if (keepsItsOrder) return [];
    const { getCapabilities }: Partial<typeof RTCRtpReceiver> = RTCRtpReceiver;
    return getCapabilities?.call(RTCRtpReceiver, "video")?.codecs ?? [];
  },
  ability: async ({ mimeType }) => {
    const capabilities: MediaCapabilities | undefined = navigator.mediaCapabilities;
    const { encodingInfo }: Partial<MediaCapabilities> = capabilities ?? {};
    const video = { ...probe, contentType: mimeType };
    const info = await encodingInfo?.call(capabilities, { type: "webrtc", video });
    return info?.supported === true ? { smooth: info.smooth, powerEfficient: info.powerEfficient } : null;
  },
};
