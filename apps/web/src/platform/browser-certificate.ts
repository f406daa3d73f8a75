import type { LocalCertificate } from "@warren/core";

/** The maximum that browsers allow, instead of their default of a month. */
const lifetimeMs = 365 * 24 * 60 * 60 * 1_000;
const algorithm: EcKeyGenParams & { expires: number } = {
  name: "ECDSA",
  namedCurve: "P-256",
  expires: lifetimeMs,
};

/** A certificate for this page's connections, with its fingerprint. */
export async function createCertificate(): Promise<LocalCertificate> {
  const certificate = await RTCPeerConnection.generateCertificate(algorithm);
  const fingerprint = fingerprintOf(certificate) ?? (await fingerprintFromOffer(certificate));
  return { certificates: [certificate], fingerprint };
}

function fingerprintOf(certificate: RTCCertificate): Uint8Array | null {
  // Firefox has no getFingerprints.
  const { getFingerprints }: Partial<RTCCertificate> = certificate;
  const value = getFingerprints?.call(certificate).find(({ algorithm }) => algorithm === "sha-256")?.value;
  return value === undefined ? null : readFingerprint(value);
}

/** Every browser's offer contains the fingerprint. */
async function fingerprintFromOffer(certificate: RTCCertificate): Promise<Uint8Array> {
  const connection = new RTCPeerConnection({ certificates: [certificate] });
  try {
    connection.createDataChannel("");
    const { sdp = "" } = await connection.createOffer();
    const value = /^a=fingerprint:sha-256 ([0-9a-f:]+)/im.exec(sdp)?.[1];
    if (value === undefined) throw new Error("the offer names no SHA-256 fingerprint");
    return readFingerprint(value);
  } finally {
    connection.close();
  }
}

/** `AB:CD:…` as bytes. */
function readFingerprint(text: string): Uint8Array {
  return Uint8Array.from(text.split(":"), (byte) => Number.parseInt(byte, 16));
}
