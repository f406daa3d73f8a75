import { sha256 } from "@noble/hashes/sha2.js";

/** SHA-256 of the certificate that the peer presents; null where the browser hides it. */
export function shownFingerprint(connection: RTCPeerConnection): Uint8Array | null {
  // New in browsers (2026), and missing from polyfills.
  const [certificate] = connection.sctp?.transport?.getRemoteCertificates?.() ?? [];
  return certificate === undefined ? null : sha256(new Uint8Array(certificate));
}
