/** What a browser can do to pictures that are sent. */
export interface VideoCodecs {
  /** Every codec it sends and receives, with what repairs losses. */
  available(): readonly RTCRtpCodec[];
  /** How it would encode a 1080p picture of 30 frames a second; null where it cannot, or does not say. */
  ability(codec: RTCRtpCodec): Promise<{ readonly smooth: boolean; readonly powerEfficient: boolean } | null>;
}
