import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { WarrenError } from "./errors.ts";
import { clientIdSchema, roomTagSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { integer, listUpTo, unionBy, v } from "./schema.ts";
import { sealedSignalSchema } from "./sealed-signal.ts";
import type { Rate } from "./token-bucket.ts";

/** The WebSocket subprotocol. */
export const signallingSubprotocol = "room.v1";

/**
 * The version of the whole protocol. A server admits only clients of this version, so the members of a room agree on
 * it. Raise it with every change except a new optional field, which readers of the previous version ignore.
 */
export const protocolVersion = 4;

/** How many frames a socket may send unless the server's `welcome` says otherwise; more close it with 4429. */
export const defaultFrameRate: Rate = { burst: 150, perSecond: 40 };

/** How long the server keeps the seat of a client whose socket dropped; nobody is told meanwhile. */
export const seatKeptMs = 90_000;

/** Base64url of `count` bytes, or empty: a client without a key sends neither key nor proof. */
const bytesOrNone = (count: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^(?:[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}})?$`)));
/** The origin of a WebSocket: its scheme and its host in lower case, with its port unless it is the default port. */
const serverOriginSchema = v.pipe(v.string(), v.regex(/^wss?:\/\/[0-9a-z.:[\]_-]{1,255}$/));
const tokenSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,512}$/));

/** A member of a room: `order` counts joins and is set by the server; a lower order joined earlier. */
export const roomMemberSchema = v.object({ clientId: clientIdSchema, order: integer(0) });
export type RoomMember = v.InferOutput<typeof roomMemberSchema>;

/** Credentials for relays of the server's operator; they expire `lifetimeS` seconds after receipt. */
const turnSignInSchema = v.object({
  urls: v.pipe(
    listUpTo(v.pipe(v.string(), v.regex(/^turns?:[^\s"\\]{0,255}$/)), limits.turnUrls),
    v.nonEmpty(),
  ),
  username: v.pipe(v.string(), v.regex(/^[0-9A-Za-z:_-]{1,128}$/)),
  credential: v.pipe(v.string(), v.regex(/^[0-9A-Za-z+/=]{1,128}$/)),
  lifetimeS: integer(1, 86_400),
});
export type TurnSignIn = v.InferOutput<typeof turnSignInSchema>;

/** Frames a client sends. */
export const clientFrameSchema = unionBy("type", [
  /**
   * The answer to `challenge`, within 5 s of opening. `publicKey` is the SPKI of a P-256 key, `proof` its signature
   * (P1363) over {@link helloProofInput}; both are empty without a key. `server` is the origin of the socket's URL.
   */
  v.object({
    type: v.literal("hello"),
    version: v.literal(protocolVersion),
    clientId: clientIdSchema,
    server: serverOriginSchema,
    publicKey: bytesOrNone(91),
    proof: bytesOrNone(64),
  }),
  /** Joins a room. `locked`: the client has a password for it. `resumeToken`: the newest one received. */
  v.object({
    type: v.literal("join"),
    room: roomTagSchema,
    locked: v.boolean(),
    resumeToken: v.optional(tokenSchema),
  }),
  /** Joins the room of the client's network; only after a `welcome` with `nearby`. Otherwise as `join`. */
  v.object({ type: v.literal("nearby"), resumeToken: v.optional(tokenSchema) }),
  v.object({ type: v.literal("leave") }),
  /** The greeter of a newcomer admits or rejects it, depending on whether it knows the room's password. */
  v.object({ type: v.literal("admit"), clientId: clientIdSchema }),
  v.object({
    type: v.literal("reject"),
    clientId: clientIdSchema,
    /** Absent: the password was wrong. `not-admitted`: it was not tested, because no member let the newcomer in. */
    reason: v.optional(v.literal("not-admitted")),
  }),
  /** The greeter no longer tests passwords automatically: a person has to let the newcomer in. */
  v.object({ type: v.literal("defer"), clientId: clientIdSchema }),
  /** Asks the server to relay a signal to another member of the room. */
  v.object({ type: v.literal("signal"), to: clientIdSchema, signal: sealedSignalSchema }),
  v.object({ type: v.literal("ping") }),
]);
export type ClientFrame = v.InferOutput<typeof clientFrameSchema>;

/** Why the server rejected a frame without closing the socket. */
export const signallingErrorCodes = [
  "not-in-room",
  "already-in-room",
  "room-full",
  "unknown-member",
  "rate-limited",
] as const;
export type SignallingErrorCode = (typeof signallingErrorCodes)[number];

/** Frames the server sends. */
export const serverFrameSchema = unionBy("type", [
  /** The first frame: 32 random bytes to sign. */
  v.object({ type: v.literal("challenge"), nonce: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)) }),
  v.object({
    type: v.literal("welcome"),
    version: v.literal(protocolVersion),
    /** How many frames this socket may send; {@link defaultFrameRate} if absent. */
    frames: v.optional(v.object({ burst: integer(1), perSecond: integer(1) })),
    /** The server knows the client's network, and takes `nearby`. */
    nearby: v.optional(v.literal(true)),
  }),
  /**
   * The room is locked and `greeter` decides; absent if there is none yet. With `approval`, a person in the room has to
   * let the newcomer in before any password is tested.
   */
  v.object({
    type: v.literal("pending"),
    greeter: v.optional(roomMemberSchema),
    approval: v.optional(v.literal(true)),
  }),
  /** The receiver is the greeter of a newcomer and starts the handshake with it. */
  v.object({ type: v.literal("knock"), clientId: clientIdSchema }),
  /** `members` are the others; `order` is the receiver's own; `turn` is present if the server has relays. */
  v.object({
    type: v.literal("joined"),
    order: integer(0),
    members: listUpTo(roomMemberSchema, limits.roomMembers),
    resumeToken: tokenSchema,
    turn: v.optional(turnSignInSchema),
  }),
  /** A member joined, or returned (`resumed`) to a seat that was kept after its socket dropped. */
  v.object({ type: v.literal("member-joined"), member: roomMemberSchema, resumed: v.boolean() }),
  v.object({ type: v.literal("member-left"), clientId: clientIdSchema }),
  v.object({ type: v.literal("signal"), from: clientIdSchema, signal: sealedSignalSchema }),
  /** In a room, carries a new `resumeToken` once a minute, and a new `turn` after half of the last one's lifetime. */
  v.object({
    type: v.literal("pong"),
    resumeToken: v.optional(tokenSchema),
    turn: v.optional(turnSignInSchema),
  }),
  /** `retryAfterMs`: the same frame may succeed after that time; absent where repeating it alone is pointless. */
  v.object({
    type: v.literal("error"),
    code: v.picklist(signallingErrorCodes),
    retryAfterMs: v.optional(integer(0, 600_000)),
  }),
  /** The server is about to stop: after this delay, open a new socket, resume, and close the old one. */
  v.object({ type: v.literal("drain"), afterMs: integer(0, 60_000) }),
]);
export type ServerFrame = v.InferOutput<typeof serverFrameSchema>;

/** The WebSocket close codes in use. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  tooLarge: 1009,
  overloaded: 1013,
  badFrame: 4400,
  /** The room is locked and the client joined without a password. */
  passwordRequired: 4401,
  /** The client's id or server name is not valid, or the client was not admitted. */
  forbidden: 4403,
  /** The room is open and the client joined with a password. */
  roomIsOpen: 4404,
  helloTimeout: 4408,
  /** The same client took its seat over with a newer socket. */
  replaced: 4409,
  rateLimited: 4429,
} as const;

const anyHelloSchema = v.object({ type: v.literal("hello"), version: integer() });

/** @returns a frame from a client; or `another-version`, `frame-too-large`, `frame-not-json` or `frame-invalid` */
export function decodeClientFrame(frame: unknown): Decoded<ClientFrame> {
  const decoded = decodeFrame(clientFrameSchema, frame, limits.signallingFrameBytes);
  if (decoded.ok || decoded.error.code !== "frame-invalid") return decoded;
  const hello = decodeFrame(anyHelloSchema, frame, limits.signallingFrameBytes);
  const isOther = hello.ok && hello.value.version !== protocolVersion;
  return isOther ? { ok: false, error: new WarrenError("another-version") } : decoded;
}

/** @returns a frame from the server; or `frame-too-large`, `frame-not-json` or `frame-invalid` */
export function decodeServerFrame(frame: unknown): Decoded<ServerFrame> {
  return decodeFrame(serverFrameSchema, frame, limits.signallingFrameBytes);
}

/** @throws WarrenError `frame-too-large`. */
export function encodeSignallingFrame(frame: ClientFrame | ServerFrame): string {
  return encodeFrame(frame, limits.signallingFrameBytes);
}
