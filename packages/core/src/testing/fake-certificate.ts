import { formatFingerprint } from "../handshake/fingerprint.ts";
import type { LocalCertificate } from "../ports/peer-connection.ts";

/** A certificate for FakePeerConnections, which show it in their descriptions. */
export function createFakeCertificate(): LocalCertificate {
  const fingerprint = crypto.getRandomValues(new Uint8Array(32));
  const algorithms = [{ algorithm: "sha-256", value: formatFingerprint(fingerprint) }];
  return {
    certificates: [{ expires: Number.MAX_SAFE_INTEGER, getFingerprints: () => algorithms }],
    fingerprint,
  };
}
