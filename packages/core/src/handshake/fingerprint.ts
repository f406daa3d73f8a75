import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { handshakeError } from "./handshake-error.ts";

const value = /^(?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/;
const line = /^a=fingerprint:sha-256 (\S+)$/i;

/**
 * Parses a SHA-256 fingerprint in browser notation (`AB:CD:…`) to 32 bytes.
 * @throws WarrenError `handshake-failed` with `fingerprint`.
 */
export function parseFingerprint(text: string): Uint8Array {
  if (!value.test(text)) throw handshakeError("fingerprint");
  return hexToBytes(text.replaceAll(":", ""));
}

/** Formats 32 bytes for SDP: pairs of upper-case hex digits separated by colons. */
export function formatFingerprint(fingerprint: Uint8Array): string {
  return bytesToHex(fingerprint)
    .toUpperCase()
    .replace(/..(?=.)/g, "$&:");
}

/**
 * The only SHA-256 fingerprint of a session description, 32 bytes. Browsers repeat the line in each media section; all
 * must name the same fingerprint. Any other mention of a fingerprint, in any spelling, is rejected: a
 * browser might interpret it where this parser does not.
 * @throws WarrenError `handshake-failed` with `fingerprint`.
 */
export function fingerprintOfSdp(sdp: string): Uint8Array {
  const mentions = sdp.split(/\r?\n/).filter((text) => /fingerprint/i.test(text));
  const [first, ...others] = mentions.map((text) => parseFingerprint(line.exec(text)?.[1] ?? ""));
  if (first === undefined || others.some((other) => !equalBytes(other, first))) {
    throw handshakeError("fingerprint");
  }
  return first;
}

/**
 * Requires that a session description has exactly the fingerprint that its sender committed to.
 * @throws WarrenError `handshake-failed` with `fingerprint`.
 */
export function requireFingerprint(sdp: string, committed: Uint8Array): void {
  if (!equalBytes(fingerprintOfSdp(sdp), committed)) throw handshakeError("fingerprint");
}

/** SHA-256 of the certificate that the peer presents; null where the browser hides it. */
export function shownFingerprint(connection: RTCPeerConnection): Uint8Array | null {
  // New in browsers (2026), and missing from polyfills.
  const [certificate] = connection.sctp?.transport?.getRemoteCertificates?.() ?? [];
  return certificate === undefined ? null : sha256(new Uint8Array(certificate));
}
