import { limits } from "./limits.ts";
import { integer, textUpTo, unionBy, v } from "./schema.ts";

/** Base64url of `count` bytes, without padding. */
const bytes = (count: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}}$`)));
const publicKeySchema = v.union([v.literal(""), bytes(91)]);

/** The id of one run of the handshake, chosen by its initiator, so that frames of an older run can be dropped. */
const run = bytes(16);
/** A 64-byte signature, sealed with a 16-byte tag. */
const sealedSignature = bytes(80);

/** The largest session description with its JSON wrapper and tag, in characters of base64url. */
const maxBoxLength = Math.ceil(((limits.signalBytes + 64 + 16) * 4) / 3);

/**
 * What the server relays between two clients: the four handshake messages, then sealed signals (docs/security.md).
 * Fields are base64url; the server cannot read a box.
 */
export const sealedSignalSchema = unionBy("type", [
  v.object({ type: v.literal("hs1"), run, v: v.literal(1), C: bytes(32) }),
  v.object({
    type: v.literal("hs2"),
    run,
    rB: bytes(16),
    fpB: bytes(32),
    idPubB: publicKeySchema,
    Yb: bytes(32),
  }),
  v.object({
    type: v.literal("hs3"),
    run,
    rA: bytes(16),
    fpA: bytes(32),
    idPubA: publicKeySchema,
    Ya: bytes(32),
    Ta: bytes(32),
    sig: sealedSignature,
  }),
  v.object({ type: v.literal("hs4"), run, Tb: bytes(32), sig: sealedSignature }),
  v.object({
    type: v.literal("box"),
    run,
    /** Numbers the boxes of a sender within a run; authenticated with the box. */
    seq: integer(0, 1_000_000),
    kind: v.picklist(["offer", "answer", "candidate", "invitation"]),
    box: v.pipe(v.string(), v.maxLength(maxBoxLength), v.regex(/^[A-Za-z0-9_-]+$/)),
  }),
]);
export type SealedSignal = v.InferOutput<typeof sealedSignalSchema>;
export type SealedSignalOf<T extends SealedSignal["type"]> = Extract<SealedSignal, { type: T }>;

/** The content of a box of the kind `invitation`: the link of a short code (docs/protocol.md#short-codes). */
export const invitationSchema = v.object({
  link: v.pipe(textUpTo(limits.linkLength), v.nonEmpty()),
});
