import { limits } from "./limits.ts";
import { integer, textUpTo, unionBy, v } from "./schema.ts";
import { utf8Length } from "./text.ts";

const sdpSchema = v.pipe(
  v.string(),
  v.nonEmpty(),
  // No text is shorter as JSON: the cheap check first.
  v.maxLength(limits.signalBytes),
  // Measured as JSON, the form that the server relays: its frame must not outgrow the one it received.
  v.check((sdp) => utf8Length(JSON.stringify(sdp)) - 2 <= limits.signalBytes),
);

/** The offered session description. */
const offerSchema = v.object({
  type: v.literal("offer"),
  data: v.object({ type: v.literal("offer"), sdp: sdpSchema }),
});

/** The answering session description. */
const answerSchema = v.object({
  type: v.literal("answer"),
  data: v.object({ type: v.literal("answer"), sdp: sdpSchema }),
});

/** An ICE candidate; an empty `candidate` marks the end of a generation. */
const candidateSchema = v.object({
  type: v.literal("candidate"),
  data: v.object({
    candidate: textUpTo(1024),
    sdpMid: v.optional(v.nullable(textUpTo(64))),
    sdpMLineIndex: v.optional(v.nullable(integer(0, 65_535))),
    usernameFragment: v.optional(v.nullable(textUpTo(256))),
  }),
});

/** The signals that connect two clients: sealed and sent through the server, or over the message channel for a lane. */
export const signalSchema = unionBy("type", [offerSchema, answerSchema, candidateSchema]);
export type Signal = v.InferOutput<typeof signalSchema>;
