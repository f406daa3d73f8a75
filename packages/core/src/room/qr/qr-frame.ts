import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { type ClientId, clientIdSchema, v, WarrenError } from "@warren/protocol";
import { utf8 } from "../../handshake/crypto/encoding.ts";
import { frameOfQrText, qrTextOf } from "./qr-text.ts";

/** Raise it with every change; a frame of another version is refused in words. */
const version = 1;
const nonceBytes = 16;
const kinds = ["invitation", "answer"] as const;
/** The candidates that a frame has room for. */
export const frameCandidatesMax = 6;
/** Longer than those of any browser; the standard allows 256. */
const credentialLengthMax = 48;

/** An address at which a page can be reached; `mdns` is the UUID of a `.local` name. */
export interface HostCandidate {
  readonly kind: "ipv4" | "ipv6" | "mdns";
  readonly address: Uint8Array;
  readonly port: number;
}

/** What a code says of the page that shows it. */
export interface QrFrame {
  readonly kind: (typeof kinds)[number];
  /** Of the invitation; the answer repeats it, so it answers no other page and no earlier code. */
  readonly nonce: Uint8Array;
  /** The client id, 122 bits of the hash of its key. */
  readonly clientId: ClientId;
  /** SHA-256 of its certificate, 32 bytes. */
  readonly fingerprint: Uint8Array;
  readonly ufrag: string;
  readonly password: string;
  readonly candidates: readonly HostCandidate[];
}

const addressBytes = { ipv4: 4, ipv6: 16, mdns: 16 } as const;
const addressKinds = ["ipv4", "ipv6", "mdns"] as const;
const credential = (min: number) =>
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]*$/), v.minLength(min), v.maxLength(credentialLengthMax));
/** `ice-char`s only, so that nothing can break out of its line. */
const ufragSchema = credential(4);
const passwordSchema = credential(22);

/** The text of a frame's code. @throws WarrenError `code-invalid` when it does not fit. */
export function writeQrFrame(frame: QrFrame): string {
  const { kind, nonce, clientId, fingerprint, ufrag, password, candidates } = frame;
  const text = (value: string) => concatBytes(Uint8Array.of(value.length), utf8(value));
  const bytes = concatBytes(
    Uint8Array.of(version, kinds.indexOf(kind)),
    nonce,
    hexToBytes(clientId.replaceAll("-", "")),
    fingerprint,
    text(ufrag),
    text(password),
    Uint8Array.of(candidates.length),
    ...candidates.flatMap(({ kind: at, address, port }) => [
      Uint8Array.of(addressKinds.indexOf(at)),
      address,
      Uint8Array.of(port >> 8, port & 0xff),
    ]),
  );
  // Reads what it wrote: a frame that others would refuse is not shown.
  readBytes(bytes);
  return qrTextOf(bytes);
}

/** Reads the text of a code. @throws WarrenError `code-invalid`, or `another-version`. */
export function readQrFrame(text: string): QrFrame {
  const bytes = frameOfQrText(text);
  if (bytes === null) throw invalid("text");
  return readBytes(bytes);
}

function readBytes(bytes: Uint8Array): QrFrame {
  let at = 0;
  const take = (count: number): Uint8Array => {
    at += count;
    if (at > bytes.length) throw invalid("length");
    return bytes.slice(at - count, at);
  };
  const byte = (): number => take(1)[0] ?? 0;
  const text = (schema: v.GenericSchema<unknown, string>, name: string): string => {
    const parsed = v.safeParse(schema, String.fromCharCode(...take(byte())));
    if (!parsed.success) throw invalid(name);
    return parsed.output;
  };
  if (byte() !== version) throw new WarrenError("another-version");
  const kind = kinds[byte()];
  if (kind === undefined) throw invalid("kind");
  const nonce = take(nonceBytes);
  const clientId = v.safeParse(clientIdSchema, uuidOf(take(16)));
  if (!clientId.success) throw invalid("id");
  const fingerprint = take(32);
  const ufrag = text(ufragSchema, "ufrag");
  const password = text(passwordSchema, "password");
  const count = byte();
  if (count > frameCandidatesMax) throw invalid("candidates");
  const candidates = Array.from({ length: count }, (): HostCandidate => {
    const candidate = addressKinds[byte()];
    if (candidate === undefined) throw invalid("candidates");
    const address = take(addressBytes[candidate]);
    const [high = 0, low = 0] = take(2);
    const port = high * 256 + low;
    if (port === 0) throw invalid("candidates");
    return { kind: candidate, address, port };
  });
  if (at !== bytes.length) throw invalid("length");
  return { kind, nonce, clientId: clientId.output, fingerprint, ufrag, password, candidates };
}

/** The nonce of a new invitation. */
export function newQrNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(nonceBytes));
}

/** Bytes in the notation of a UUID. */
export function uuidOf(bytes: Uint8Array): string {
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function invalid(issue: string): WarrenError {
  return new WarrenError("code-invalid", { issue });
}
