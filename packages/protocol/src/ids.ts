import { limits } from "./limits.ts";
import { z } from "./schema.ts";
import { cleanLine, isBlank } from "./text.ts";

/** A client's id: a v4 UUID in lower case. */
export const clientIdSchema = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));
export type ClientId = z.infer<typeof clientIdSchema>;

/** The server's name for a room: SHA-256 over `room/1` and the room id, as 43 characters of base64url. */
export const roomTagSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));
export type RoomTag = z.infer<typeof roomTagSchema>;

/** The id of a message, unique per sender. */
export const messageIdSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type MessageId = z.infer<typeof messageIdSchema>;

/** The id of a file, chosen by the client that first offers it. */
export const fileIdSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type FileId = z.infer<typeof fileIdSchema>;

/** The id of a lane, chosen by the client that opens it. */
export const laneIdSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type LaneId = z.infer<typeof laneIdSchema>;

/** The id of a media source that a person shares in a call, chosen by the sender. */
export const sourceIdSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type SourceId = z.infer<typeof sourceIdSchema>;

/** The name of a room as typed, normalized to NFC so that every keyboard produces the same tag. */
export const roomIdSchema = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(4 * limits.roomIdLength)),
    z.transform((roomId) => cleanLine(roomId).normalize("NFC")),
  ),
  lineSchema(limits.roomIdLength),
);

/** A person's display name: one line, not blank. */
export const displayNameSchema = z.pipe(
  z.pipe(z.string().check(z.maxLength(4 * limits.nameLength)), z.transform(cleanLine)),
  lineSchema(limits.nameLength),
);

function lineSchema(maxLength: number) {
  return z.string().check(
    z.maxLength(maxLength),
    z.refine((text) => !isBlank(text), { error: "blank" }),
  );
}
