import { answerOf, type LocalCertificate, systemClock } from "@warren/core";
import { WarrenError } from "@warren/protocol";

/** The maximum that browsers allow, instead of their default of a month. */
const lifetimeMs = 365 * 24 * 60 * 60 * 1_000;
const algorithm: EcKeyGenParams & { expires: number } = {
  name: "ECDSA",
  namedCurve: "P-256",
  expires: lifetimeMs,
};

/** A certificate for this page's connections, with its fingerprint. @throws WarrenError `webrtc-blocked`. */
export async function createCertificate(): Promise<LocalCertificate> {
  const certificate = await answerOf(
    systemClock,
    "generateCertificate",
    () => RTCPeerConnection.generateCertificate(algorithm),
    // Nothing, whatever the types say, where an extension has replaced the call.
    (made?: RTCCertificate) => made !== undefined,
  );
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
    const offer: RTCSessionDescriptionInit | undefined = await answerOf(systemClock, "createOffer", () =>
      connection.createOffer(),
    );
    const value = /^a=fingerprint:sha-256 ([0-9a-f:]+)/im.exec(offer?.sdp ?? "")?.[1];
    if (value === undefined) throw new WarrenError("webrtc-blocked", { call: "createOffer" });
    return readFingerprint(value);
  } finally {
    connection.close();
  }
}

/** `AB:CD:…` as bytes. */
function readFingerprint(text: string): Uint8Array {
  return Uint8Array.from(text.split(":"), (byte) => Number.parseInt(byte, 16));
}
