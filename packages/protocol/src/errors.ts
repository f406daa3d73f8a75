/**
 * Every error of Warren by its code, with its English text. `{name}` is replaced by a value given with the error. Texts that the
 * specification names say where they are raised, or why they cannot be.
 */
export const errorTexts = {
  // Transfer
  /** `core/session` */
  "channel-closed": "channel {label} closed",
  /** `core/transfer/engine` */
  "channel-close": "channel {label} close",
  /** `core/transfer/engine` */
  "channel-error": "channel {label} error",
  /** `core/ice`, `core/lanes` */
  "channel-not-open": "channel is not open",
  /** `core/transfer/engine` */
  "any-channel-error": "channel error",
  /** `core/transfer/engine` */
  "any-channel-closed": "channel closed",
  /** `core/transfer/engine` */
  "no-channel": "no channel",
  /** `core/ice`, `core/transfer` */
  "no-available-channel": "Can not get any available channel",
  /** `core/signalling`, `core/transfer` */
  "connection-closed": "connection is closed",
  /** `core/chat`, `core/transfer` */
  "transferer-closed": "transferer is closed",
  /** `core/transfer/engine` */
  "transferer-not-sending": "transferer is not in send mode",
  /** Never: a transfer exists only once it can send. */
  "transferer-not-initialized": "file transferer is not initialized, can not send file",
  /** `core/files` */
  "cache-data-incomplete": "cache data is incomplete, can not send file",
  /** Never: archives are read where the page asks, without a worker to start first. */
  "unzip-worker-not-initialized": "unzip worker is not initialized",
  /** `protocol` */
  "transfer-info-missing": "transfer file info is not set correctly",
  /** `core/transfer/engine` */
  "missing-block": "Missing block {block} in chunk",
  "chunk-verification-failed": "chunk {chunk} failed verification",
  "root-verification-failed": "the file failed verification",
  "file-too-large": "the file has {sizeBytes} bytes, more than the limit of {limitBytes}",
  "not-enough-space": "{neededBytes} bytes needed, {freeBytes} free",
  "storage-full": "Storage full",
  "source-changed": "the file changed while it was being sent",
  "source-missing": "the file is no longer at hand",
  "tree-too-large": "the folder has more than {limit} files and folders",
  "tree-invalid": "the list of files is not valid: {issue}",
  "wrong-file": "this is not the file that was offered",
  "transfer-declined": "declined",
  "transfer-cancelled": "cancelled",
  "already-complete": "already complete",
  "transfer-stalled": "the browser stopped answering: {step}",
  // Session
  /** `core/messages`, `core/shares` */
  "send-timeout": "send timeout",
  /** `core/session`, `core/signalling` */
  "connect-timeout": "connect timeout",
  "no-answer": "the other side did not answer",
  /** `core/session`, `core/sealed` */
  "connection-failed": "Connection failed with state: {state}",
  "description-invalid": "the browser can not apply the {type} of the other side",
  "media-refused": "the browser of the other side can not apply an offer with media",
  "webrtc-blocked": "the browser does not carry out {call}",
  "server-refused": "the browser refuses the server {url}: {reason}",
  /** `core/ice` */
  "already-making-offer": "session {id} already making offer",
  "session-ended": "the other side ended the session",
  /** `core/ice`, `core/session` */
  "session-closed": "session {id} is closed, can not {action}",
  /** `core/room` */
  "already-connected": "can not initialize connection {id}: already connected",
  /** `core/signalling` */
  "controller-exists": "controller already exists",
  "no-session": "no session with {id}",
  "peer-offline": "{id} is not online",
  "handshake-failed": "the handshake failed: {reason}",
  "incorrect-password": "incorrect password",
  "password-required": "password required",
  "room-is-open": "the room has no password",
  "not-admitted": "nobody in the room answered",
  "approval-needed": "a person has to let them in",
  "not-verifiable": "{id} has no key to verify",
  // Cache and data
  /** `core/files`, `core/offers` */
  "cache-exists": "cache {id} already exists",
  /** `core/files`, `core/shares` */
  "cache-not-found": "cache {id} not found",
  /** `core/shares` */
  "cache-info-not-found": "cache {id} info not found",
  /** `core/shares` */
  "cache-not-complete": "cache {id} is not complete",
  /** `core/chat` */
  "check-message-not-found": "check message {id} not found",
  /** `protocol` */
  "fid-undefined": "file transfer message fid is undefined",
  /** `core/files` */
  "db-not-initialized": "db is not initialized",
  /** `core/files` */
  "info-not-found": "info is not found",
  /** `protocol` */
  "chunk-size-not-found": "chunkSize is not found",
  /** Never: a build contains one signalling service, chosen by type. */
  "invalid-backend-type": "invalid backend type",
  /** `core/ice`, `web/settings/servers` */
  "invalid-turn-method": "parseTurnServer: invalid method",
  /** `core/ice` */
  "cloudflare-error": "parseTurnServer: cloudflare error response: {status}",
  "storage-failed": "storage failed: {reason}",
  "history-full":
    "no more messages are kept from somebody who is not verified: the limit is {limitBytes} bytes",
  // Shown as they are
  /** `core/profile` */
  "password-too-short": "password length is too short.",
  /** `web/pictures` */
  "invalid-avatar": "Please upload a valid image file",
  /** `web/pictures` */
  "no-canvas-context": "Failed to get Canvas context",
  "canvas-unreadable": "the browser does not let the page read what it draws",
  /** `web/people`, `web/settings` */
  "image-load-failed": "Failed to load image",
  "image-too-large": "the picture has more than 40 million pixels",
  /** `web/pictures` */
  "image-read-failed": "Failed to read image file",
  /** `web/workers` */
  "http-error": "HTTP error! status: {code}",
  "app-code-missing": "part of the app could not be fetched",
  // Signalling
  "signalling-unreachable": "the signalling server does not answer",
  "signalling-closed": "the signalling server closed the connection: {code} {reason}",
  "signalling-replaced": "the room was opened in another tab",
  "another-version": "the page and the server have different versions",
  "room-full": "the room is full",
  "nearby-unavailable": "the server does not know which pages are on this network",
  "rate-limited": "too many requests",
  "code-not-found": "no device shows this code",
  "code-wrong": "these are not the words of the code, which is used up",
  "code-connection-lost": "the connection made by codes is lost",
  "code-invalid": "this is not the code of the other page: {issue}",
  "too-many-sources": "no more can be shared at once",
  // Protocol violations
  "frame-too-large": "a frame of {sizeBytes} bytes is over the limit of {limitBytes}",
  "frame-not-json": "a frame is not JSON",
  "frame-invalid": "a frame does not follow its schema: {issue}",
  "block-invalid": "a block does not follow its format: {issue}",
  "ranges-invalid": "ranges are not valid: {issue}",
  "protocol-violation": "{id} broke the protocol: {issue}",
  /** `core/handshake/crypto`, `core/offers` */
  unknown: "Unknown error",
} as const satisfies Record<string, string>;

/** The name of an error; the key of its text in {@link errorTexts} and in every locale. */
export type ErrorCode = keyof typeof errorTexts;

/** The values for the `{name}` places of an error's text. */
export type ErrorValues = Readonly<Record<string, string | number>>;

/** An error as plain data, for the wire, workers and storage. */
export interface ErrorDescription {
  readonly code: ErrorCode;
  readonly values: ErrorValues;
}

/** Whether a string names an error of the catalogue. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorTexts, value);
}

/** The English text of an error with its values filled in. A place without a value is left as it is. */
export function formatErrorText(code: ErrorCode, values: ErrorValues = {}): string {
  return errorTexts[code].replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
}

/** The only error class of Warren: a code and its values, with the English text as message for logs. */
export class WarrenError extends Error {
  readonly code: ErrorCode;
  readonly values: ErrorValues;

  constructor(code: ErrorCode, values: ErrorValues = {}, options?: ErrorOptions) {
    super(formatErrorText(code, values), options);
    this.name = "WarrenError";
    this.code = code;
    this.values = values;
  }

  /** The error as plain data. */
  describe(): ErrorDescription {
    return { code: this.code, values: this.values };
  }
}

/** A thrown value as a WarrenError: itself, or one with the code `fallback` and the value as its cause. */
export function toWarrenError(
  thrown: unknown,
  fallback: ErrorCode = "unknown",
  values: ErrorValues = {},
): WarrenError {
  return thrown instanceof WarrenError ? thrown : new WarrenError(fallback, values, { cause: thrown });
}
