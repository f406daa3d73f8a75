import { sha256 } from "@noble/hashes/sha2.js";

/** SHA-256 of the certificate the other side of a connection shows; null where the browser hides it. */
export function shownFingerprint(connection: RTCPeerConnection): Uint8Array | null {
  // Young in browsers (2026), and missing from polyfills.
  const [certificate] = connection.sctp?.transport?.getRemoteCertificates?.() ?? [];
  return certificate === undefined ? null : sha256(new Uint8Array(certificate));
}
