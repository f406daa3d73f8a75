import type { ClientId } from "./ids.ts";

/** The bytes whose SHA-256 gives the client id of an identity key: "id/1" ‖ SPKI. */
export function clientIdInput(publicKey: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...new TextEncoder().encode("id/1"), ...publicKey]);
}

/** Formats the first 122 bits of a digest as a v4 UUID, with version 4 and variant binary 10. */
export function formatClientId(bytes: Uint8Array): ClientId {
  const first = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0"));
  const bits = BigInt(`0x${first.join("")}`) >> 6n;
  const uuid =
    ((bits >> 74n) << 80n) |
    (4n << 76n) |
    (((bits >> 62n) & 0xfffn) << 64n) |
    (2n << 62n) |
    (bits & ((1n << 62n) - 1n));
  const hex = uuid.toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
