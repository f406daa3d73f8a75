/** A browser's video codecs. */
export interface VideoCodecs {
  /** Every codec it can send and receive, including the loss recovery formats. */
  available(): readonly RTCRtpCodec[];
  /** How well it encodes 1080p at 30 frames per second; null if it cannot, or does not report it. */
  ability(codec: RTCRtpCodec): Promise<{ readonly smooth: boolean; readonly powerEfficient: boolean } | null>;
}
