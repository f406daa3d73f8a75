import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { clientIdSchema, roomTagSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { z } from "./schema.ts";
import { sealedSignalSchema } from "./sealed-signal.ts";

/** The WebSocket subprotocol. */
export const signallingSubprotocol = "room.v1";

/**
 * The version of the whole protocol. A server admits only clients of this version, so the members of a room agree on
 * it. Raise it with every change except a new optional field, which readers of the previous version ignore.
 */
export const protocolVersion = 3;

/** Base64url of `count` bytes, or empty: a client without a key sends neither key nor proof. */
const bytesOrNone = (count: number) =>
  z.string().check(z.regex(new RegExp(`^(?:[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}})?$`)));
/** A host in lower case with its port, unless it is the default port, as in URLs. */
const serverNameSchema = z.string().check(z.regex(/^[0-9a-z.:[\]_-]{1,255}$/));
const tokenSchema = z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,512}$/));

/** A member of a room: `order` counts joins and is set by the server; a lower order joined earlier. */
export const roomMemberSchema = z.object({ clientId: clientIdSchema, order: z.int().check(z.gte(0)) });
export type RoomMember = z.infer<typeof roomMemberSchema>;

/** Credentials for relays of the server's operator; they expire `lifetimeS` seconds after receipt. */
const turnSignInSchema = z.object({
  urls: z
    .array(z.string().check(z.regex(/^turns?:[^\s"\\]{1,255}$/)))
    .check(z.minLength(1), z.maxLength(limits.turnUrls)),
  username: z.string().check(z.regex(/^[0-9A-Za-z:_-]{1,128}$/)),
  credential: z.string().check(z.regex(/^[0-9A-Za-z+/=]{1,128}$/)),
  lifetimeS: z.int().check(z.gte(1), z.lte(86_400)),
});
export type TurnSignIn = z.infer<typeof turnSignInSchema>;

/** Frames a client sends. */
export const clientFrameSchema = z.discriminatedUnion("type", [
  /**
   * The answer to `challenge`, within 5 s of opening. `publicKey` is the SPKI of a P-256 key, `proof` its signature
   * (P1363) over {@link helloProofInput}; both are empty without a key. `server` is the host the socket was opened to.
   */
  z.object({
    type: z.literal("hello"),
    version: z.literal(protocolVersion),
    clientId: clientIdSchema,
    server: serverNameSchema,
    publicKey: bytesOrNone(91),
    proof: bytesOrNone(64),
  }),
  /** Joins a room. `locked`: the client has a password for it. `resumeToken`: the newest one received. */
  z.object({
    type: z.literal("join"),
    room: roomTagSchema,
    locked: z.boolean(),
    resumeToken: z.optional(tokenSchema),
  }),
  z.object({ type: z.literal("leave") }),
  /** The greeter of a newcomer admits or rejects it, depending on whether it knows the room's password. */
  z.object({ type: z.literal("admit"), clientId: clientIdSchema }),
  z.object({
    type: z.literal("reject"),
    clientId: clientIdSchema,
    /** Absent: the password was wrong. `not-admitted`: it was not tested, because no member let the newcomer in. */
    reason: z.optional(z.literal("not-admitted")),
  }),
  /** The greeter no longer tests passwords automatically: a person has to let the newcomer in. */
  z.object({ type: z.literal("defer"), clientId: clientIdSchema }),
  /** Asks the server to relay a signal to another member of the room. */
  z.object({ type: z.literal("signal"), to: clientIdSchema, signal: sealedSignalSchema }),
  z.object({ type: z.literal("ping") }),
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

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
export const serverFrameSchema = z.discriminatedUnion("type", [
  /** The first frame: 32 random bytes to sign. */
  z.object({ type: z.literal("challenge"), nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) }),
  z.object({ type: z.literal("welcome"), version: z.literal(protocolVersion) }),
  /**
   * The room is locked and `greeter` decides; absent if there is none yet. With `approval`, a person in the room has to
   * let the newcomer in before any password is tested.
   */
  z.object({
    type: z.literal("pending"),
    greeter: z.optional(roomMemberSchema),
    approval: z.optional(z.literal(true)),
  }),
  /** The receiver is the greeter of a newcomer and starts the handshake with it. */
  z.object({ type: z.literal("knock"), clientId: clientIdSchema }),
  /** `members` are the others; `order` is the receiver's own; `turn` is present if the server has relays. */
  z.object({
    type: z.literal("joined"),
    order: z.int().check(z.gte(0)),
    members: z.array(roomMemberSchema).check(z.maxLength(limits.roomMembers)),
    resumeToken: tokenSchema,
    turn: z.optional(turnSignInSchema),
  }),
  /** A member joined, or returned (`resumed`) to a seat that was kept after its socket dropped. */
  z.object({ type: z.literal("member-joined"), member: roomMemberSchema, resumed: z.boolean() }),
  z.object({ type: z.literal("member-left"), clientId: clientIdSchema }),
  z.object({ type: z.literal("signal"), from: clientIdSchema, signal: sealedSignalSchema }),
  /** In a room, carries a new `resumeToken` once a minute, and a new `turn` after half of the last one's lifetime. */
  z.object({
    type: z.literal("pong"),
    resumeToken: z.optional(tokenSchema),
    turn: z.optional(turnSignInSchema),
  }),
  z.object({ type: z.literal("error"), code: z.enum(signallingErrorCodes) }),
  /** The server is about to stop: after this delay, open a new socket, resume, and close the old one. */
  z.object({ type: z.literal("drain"), afterMs: z.int().check(z.gte(0), z.lte(60_000)) }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;

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

/** @returns a frame from a client; or `frame-too-large`, `frame-not-json` or `frame-invalid` */
export function decodeClientFrame(frame: unknown): Decoded<ClientFrame> {
  return decodeFrame(clientFrameSchema, frame, limits.signallingFrameBytes);
}

/** @returns a frame from the server; or `frame-too-large`, `frame-not-json` or `frame-invalid` */
export function decodeServerFrame(frame: unknown): Decoded<ServerFrame> {
  return decodeFrame(serverFrameSchema, frame, limits.signallingFrameBytes);
}

/** @throws WarrenError `frame-too-large`. */
export function encodeSignallingFrame(frame: ClientFrame | ServerFrame): string {
  return encodeFrame(frame, limits.signallingFrameBytes);
}
