import {
  clientIdSchema,
  roomMemberSchema,
  roomTagSchema,
  type SealedSignal,
  sealedSignalSchema,
  signallingErrorCodes,
  z,
} from "@warren/protocol";
import type { RelayedSignal } from "./relay.ts";

/** The id of a node, new with each start. */
export const nodeIdSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

const number = z.int().check(z.gte(0));
const visitId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));
const time = z.int();

/** Checked as on a client's socket: it is put into frames as it comes. */
const relayedSignalSchema = z.pipe(
  sealedSignalSchema,
  z.transform((signal: SealedSignal): RelayedSignal => ({ type: signal.type, json: JSON.stringify(signal) })),
);

const refusalReasonSchema = z.enum([
  "already-in-room",
  "room-full",
  "rate-limited",
  "identity",
  "password-required",
  "room-is-open",
  "too-many-attempts",
  "incorrect-password",
  "not-admitted",
  "room-gone",
  "room-reclaimed",
  "unavailable",
]);

const incarnationSchema = z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/)), bornAt: time });

const claimSchema = z.object({
  incarnation: incarnationSchema,
  order: number,
  issuedAt: time,
  isFresh: z.boolean(),
  isProven: z.boolean(),
  isLocked: z.boolean(),
});

const entrySchema = z.object({
  order: number,
  incarnation: incarnationSchema,
  members: z.array(roomMemberSchema),
});

const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("member-joined"), member: roomMemberSchema, resumed: z.boolean() }),
  z.object({ type: z.literal("member-left"), clientId: clientIdSchema }),
  z.object({
    type: z.literal("pending"),
    greeter: z.optional(roomMemberSchema),
    approval: z.optional(z.literal(true)),
  }),
  z.object({ type: z.literal("knock"), clientId: clientIdSchema }),
  z.object({ type: z.literal("signal"), from: clientIdSchema, signal: relayedSignalSchema }),
  z.object({ type: z.literal("error"), code: z.enum(signallingErrorCodes) }),
  z.object({ type: z.literal("admitted"), ...entrySchema.shape }),
  z.object({ type: z.literal("turned-away"), reason: refusalReasonSchema }),
  z.object({ type: z.literal("replaced") }),
]);

const actSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("signal"), to: clientIdSchema, signal: relayedSignalSchema }),
  z.object({ type: z.literal("admit"), clientId: clientIdSchema }),
  z.object({
    type: z.literal("reject"),
    clientId: clientIdSchema,
    reason: z.enum(["incorrect-password", "not-admitted"]),
  }),
  z.object({ type: z.literal("defer"), clientId: clientIdSchema }),
  z.object({ type: z.literal("leave") }),
  z.object({ type: z.literal("drop") }),
]);

/** What one client of another node does in a room that lives here. */
export type Act = z.infer<typeof actSchema>;

/** What nodes send each other; `visit` names the place of one client in a room of another node. */
export const nodeMessageSchema = z.discriminatedUnion("type", [
  /** A client of the sender asks for a seat in a room of the receiver. */
  z.object({
    type: z.literal("enter"),
    visit: visitId,
    room: roomTagSchema,
    identity: z.object({ clientId: clientIdSchema, isProven: z.boolean() }),
    address: z.object({ key: z.string().check(z.maxLength(64)), isPrivate: z.boolean() }),
    locked: z.boolean(),
    claim: z.optional(claimSchema),
    follows: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("seated"), visit: visitId, ...entrySchema.shape }),
  z.object({ type: z.literal("pending"), visit: visitId }),
  z.object({ type: z.literal("refused"), visit: visitId, reason: refusalReasonSchema }),
  /** The room does not live here. */
  z.object({ type: z.literal("elsewhere"), visit: visitId }),
  z.object({ type: z.literal("act"), visit: visitId, act: actSchema }),
  /** `number` counts the events of a visit from 1. */
  z.object({ type: z.literal("event"), visit: visitId, number, event: eventSchema }),
  /**
   * The visits of the sender's clients at the receiver, and how many events of each have come. With `isBack` the sender
   * has just found Redis again, so that what it sent before may be lost as well: the receiver checks in turn.
   */
  z.object({
    type: z.literal("check"),
    round: number,
    isBack: z.boolean(),
    visits: z.array(z.tuple([visitId, number])),
  }),
  /** What the receiver lacks: visits that are over, and how a room stands where events were lost. */
  z.object({
    type: z.literal("checked"),
    round: number,
    over: z.array(visitId),
    behind: z.array(z.object({ visit: visitId, number, entry: z.optional(entrySchema) })),
  }),
  /** The sender stops: its rooms have to live elsewhere. */
  z.object({ type: z.literal("bye") }),
]);

export type NodeMessage = z.infer<typeof nodeMessageSchema>;
