import { limits } from "./limits.ts";
import { z } from "./schema.ts";
import { utf8Length } from "./text.ts";

const sdpSchema = z.string().check(
  z.minLength(1),
  z.maxLength(limits.signalBytes),
  // Measured as JSON, the form that the server relays: its frame must not outgrow the one it received.
  z.refine((sdp) => utf8Length(JSON.stringify(sdp)) - 2 <= limits.signalBytes, { error: "too long" }),
);

/** The offered session description. */
const offerSchema = z.object({
  type: z.literal("offer"),
  data: z.object({ type: z.literal("offer"), sdp: sdpSchema }),
});

/** The answering session description. */
const answerSchema = z.object({
  type: z.literal("answer"),
  data: z.object({ type: z.literal("answer"), sdp: sdpSchema }),
});

/** An ICE candidate; an empty `candidate` marks the end of a generation. */
const candidateSchema = z.object({
  type: z.literal("candidate"),
  data: z.object({
    candidate: z.string().check(z.maxLength(1024)),
    sdpMid: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    sdpMLineIndex: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(65_535)))),
    usernameFragment: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  }),
});

/** The signals that connect two clients: sealed and sent through the server, or over the message channel for a lane. */
export const signalSchema = z.discriminatedUnion("type", [offerSchema, answerSchema, candidateSchema]);
export type Signal = z.infer<typeof signalSchema>;
