import { createHash, createHmac, randomBytes } from "node:crypto";

const magicCookie = 0x2112a442;
const headBytes = 20;
const ipv4 = 0x01;

/** Requests of STUN and TURN (RFC 8489, 8656) that we send, with the answers to them. */
export const methods = {
  binding: { request: 0x0001, success: 0x0101, error: 0x0111 },
  allocate: { request: 0x0003, success: 0x0103, error: 0x0113 },
  refresh: { request: 0x0004, success: 0x0104, error: 0x0114 },
} as const;

export const attributes = {
  mappedAddress: 0x0001,
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  requestedTransport: 0x0019,
  xorMappedAddress: 0x0020,
} as const;

export interface StunMessage {
  readonly type: number;
  readonly id: Buffer;
  readonly attributes: ReadonlyMap<number, Buffer>;
}

export type StunAttribute = readonly [type: number, value: Buffer];

/** @param key signs the request */
export function stunRequest(
  type: number,
  given: readonly StunAttribute[] = [],
  key?: Buffer,
): { readonly bytes: Buffer; readonly id: Buffer } {
  const id = randomBytes(12);
  const body = Buffer.concat(given.map(attribute));
  const head = (length: number) => {
    const bytes = Buffer.alloc(headBytes);
    bytes.writeUInt16BE(type, 0);
    bytes.writeUInt16BE(length, 2);
    bytes.writeUInt32BE(magicCookie, 4);
    id.copy(bytes, 8);
    return bytes;
  };
  if (key === undefined) return { bytes: Buffer.concat([head(body.length), body]), id };
  // What is signed counts the signature in its length.
  const signed = Buffer.concat([head(body.length + 24), body]);
  const mac = createHmac("sha1", key).update(signed).digest();
  return { bytes: Buffer.concat([signed, attribute([attributes.messageIntegrity, mac])]), id };
}

function attribute([type, value]: StunAttribute): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  value.copy(bytes, 4);
  return bytes;
}

/** The key of long-term credentials. */
export function longTermKey(username: string, realm: Buffer, password: string): Buffer {
  return createHash("md5").update(`${username}:`).update(realm).update(`:${password}`).digest();
}

/** How long the message is that these bytes begin; null until they tell. */
export function stunLength(bytes: Buffer): number | null {
  return bytes.length < 4 ? null : headBytes + bytes.readUInt16BE(2);
}

/** Null for anything that is no message. Of attributes that come twice the first counts, as the standards have it. */
export function readStun(bytes: Buffer): StunMessage | null {
  if (bytes.length < headBytes || bytes.readUInt32BE(4) !== magicCookie) return null;
  const found = new Map<number, Buffer>();
  for (let at = headBytes; at + 4 <= bytes.length; ) {
    const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    if (!found.has(type)) found.set(type, bytes.subarray(at + 4, at + 4 + length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return { type: bytes.readUInt16BE(0), id: bytes.subarray(8, headBytes), attributes: found };
}

/** The IPv4 address of the asker as the server sees it. */
export function seenAddress(
  message: StunMessage,
): { readonly address: string; readonly port: number } | null {
  const hidden = message.attributes.get(attributes.xorMappedAddress);
  const value = hidden ?? message.attributes.get(attributes.mappedAddress);
  if (value === undefined || value.length < 8 || value[1] !== ipv4) return null;
  const mask = hidden === undefined ? 0 : magicCookie;
  const port = value.readUInt16BE(2) ^ (mask >>> 16);
  const bits = (value.readUInt32BE(4) ^ mask) >>> 0;
  return { address: [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join("."), port };
}

export function errorOf(message: StunMessage): { readonly code: number; readonly text: string } {
  const value = message.attributes.get(attributes.errorCode);
  if (value === undefined || value.length < 4) return { code: 500, text: "" };
  return { code: ((value[2] ?? 0) & 7) * 100 + (value[3] ?? 0), text: value.subarray(4).toString("utf8") };
}
