/** Creates a WebRTC connection: `new RTCPeerConnection(configuration)` in a browser, a polyfill or fake elsewhere. */
export type CreatePeerConnection = (configuration: RTCConfiguration) => RTCPeerConnection;

/** The certificate that this page's connections present to other browsers. */
export interface LocalCertificate {
  /** For RTCConfiguration; empty if the platform uses its own certificate. */
  readonly certificates: RTCCertificate[];
  /** Its SHA-256, 32 bytes. */
  readonly fingerprint: Uint8Array;
}

/** Creates a certificate; one per page is enough. Settles in time, and may reject with `webrtc-blocked`. */
export type CreateCertificate = () => Promise<LocalCertificate>;
