import {
  clientIdSchema,
  integer,
  roomMemberSchema,
  roomTagSchema,
  sealedSignalSchema,
  signallingErrorCodes,
  textUpTo,
  unionBy,
  v,
} from "@warren/protocol";
import { type Knock, type Seat, toRelayed } from "./relay.ts";

/** The id of a node; each start creates a new one. */
export const nodeIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/));

const number = integer(0);
const visitId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/));
const time = integer();

/** Validated as on a client's socket, because it is copied into frames unchanged. */
const relayedSignalSchema = v.pipe(sealedSignalSchema, v.transform(toRelayed));

const refusalReasonSchema = v.picklist([
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

const denialEntries = { reason: refusalReasonSchema, retryAfterMs: v.optional(number) };

const incarnationSchema = v.object({ id: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)), bornAt: time });

const claimSchema = v.object({
  incarnation: incarnationSchema,
  order: number,
  issuedAt: time,
  isFresh: v.boolean(),
  isProven: v.boolean(),
  isLocked: v.boolean(),
});

const entrySchema = v.object({
  order: number,
  incarnation: incarnationSchema,
  members: v.array(roomMemberSchema),
});

const eventSchema = unionBy("type", [
  v.object({ type: v.literal("member-joined"), member: roomMemberSchema, resumed: v.boolean() }),
  v.object({ type: v.literal("member-left"), clientId: clientIdSchema }),
  v.object({
    type: v.literal("pending"),
    greeter: v.optional(roomMemberSchema),
    approval: v.optional(v.literal(true)),
  }),
  v.object({ type: v.literal("knock"), clientId: clientIdSchema }),
  v.object({ type: v.literal("signal"), from: clientIdSchema, signal: relayedSignalSchema }),
  v.object({ type: v.literal("error"), code: v.picklist(signallingErrorCodes) }),
  v.object({ type: v.literal("admitted"), ...entrySchema.entries }),
  v.object({ type: v.literal("turned-away"), ...denialEntries }),
  v.object({ type: v.literal("replaced") }),
]);

const actSchema = unionBy("type", [
  v.object({ type: v.literal("signal"), to: clientIdSchema, signal: relayedSignalSchema }),
  v.object({ type: v.literal("admit"), clientId: clientIdSchema }),
  v.object({
    type: v.literal("reject"),
    clientId: clientIdSchema,
    reason: v.picklist(["incorrect-password", "not-admitted"]),
  }),
  v.object({ type: v.literal("defer"), clientId: clientIdSchema }),
  v.object({ type: v.literal("leave") }),
  v.object({ type: v.literal("drop") }),
]);

/** Actions of a remote client in a room that lives here. */
export type Act = v.InferOutput<typeof actSchema>;

/** Messages between nodes; `visit` identifies a client's seat in a room of another node. */
export const nodeMessageSchema = unionBy("type", [
  /** A client of the sender asks for a seat in a room of the receiver. */
  v.object({
    type: v.literal("enter"),
    visit: visitId,
    room: roomTagSchema,
    identity: v.object({ clientId: clientIdSchema, isProven: v.boolean() }),
    address: v.object({ key: textUpTo(64), isPrivate: v.boolean() }),
    locked: v.boolean(),
    maxMembers: v.optional(number),
    claim: v.optional(claimSchema),
    follows: v.optional(v.boolean()),
  }),
  v.object({ type: v.literal("seated"), visit: visitId, ...entrySchema.entries }),
  v.object({ type: v.literal("pending"), visit: visitId }),
  v.object({ type: v.literal("refused"), visit: visitId, ...denialEntries }),
  /** The room does not live here. */
  v.object({ type: v.literal("elsewhere"), visit: visitId }),
  v.object({ type: v.literal("act"), visit: visitId, act: actSchema }),
  /** `number` is the event's position in its visit, from 1. */
  v.object({ type: v.literal("event"), visit: visitId, number, event: eventSchema }),
  /**
   * The visits of the sender's clients at the receiver, and how many events of each have arrived. With `isBack` the sender
   * has just reconnected to Redis and may have lost sent messages too, so the receiver checks as well.
   */
  v.object({
    type: v.literal("check"),
    round: number,
    isBack: v.boolean(),
    visits: v.array(v.strictTuple([visitId, number])),
  }),
  /** Repairs the receiver: visits that ended, and the current state of rooms whose events were lost. */
  v.object({
    type: v.literal("checked"),
    round: number,
    over: v.array(visitId),
    behind: v.array(v.object({ visit: visitId, number, entry: v.optional(entrySchema) })),
  }),
  /** The sender stops: its rooms must move. */
  v.object({ type: v.literal("bye") }),
]);

export type NodeMessage = v.InferOutput<typeof nodeMessageSchema>;

/** Does in a room what a remote client asked for. */
export function perform(seat: Seat | Knock, act: Act): void {
  if (act.type === "signal") seat.send(act.to, act.signal);
  else if ("cancel" in seat) {
    // Only members of a room admit others.
    if (act.type === "leave" || act.type === "drop") seat.cancel();
  } else if (act.type === "admit") seat.admit(act.clientId);
  else if (act.type === "reject") seat.reject(act.clientId, act.reason);
  else if (act.type === "defer") seat.defer(act.clientId);
  else if (act.type === "leave") seat.leave();
  else seat.drop();
}
