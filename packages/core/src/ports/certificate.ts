/** The certificate this page's connections show to other browsers. */
export interface LocalCertificate {
  /** For RTCConfiguration; empty where the platform uses its certificate by itself. */
  readonly certificates: RTCCertificate[];
  /** Its SHA-256, 32 bytes. */
  readonly fingerprint: Uint8Array;
}

/** Makes a certificate; one a page is enough. */
export type CreateCertificate = () => Promise<LocalCertificate>;
