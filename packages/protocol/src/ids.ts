import { limits } from "./limits.ts";
import { maxCharacters, textUpTo, v } from "./schema.ts";
import { cleanLine, isBlank } from "./text.ts";

/** A client's id: a v4 UUID in lower case. */
export const clientIdSchema = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
);
export type ClientId = v.InferOutput<typeof clientIdSchema>;

/** The server's name for a room: SHA-256 over `room/1` and the room id, as 43 characters of base64url. */
export const roomTagSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));
export type RoomTag = v.InferOutput<typeof roomTagSchema>;

/** The id of a message, unique per sender. */
export const messageIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type MessageId = v.InferOutput<typeof messageIdSchema>;

/** Names a message by its author and its id. */
export const messageNameSchema = v.object({ client: clientIdSchema, id: messageIdSchema });
export type MessageName = v.InferOutput<typeof messageNameSchema>;

/** The id of a file, chosen by the client that first offers it. */
export const fileIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type FileId = v.InferOutput<typeof fileIdSchema>;

/** The id of a lane, chosen by the client that opens it. */
export const laneIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type LaneId = v.InferOutput<typeof laneIdSchema>;

/** The id of a media source that a person shares in a call, chosen by the sender. */
export const sourceIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/));
export type SourceId = v.InferOutput<typeof sourceIdSchema>;

/** The name of a room as typed, normalized to NFC so that every keyboard produces the same tag. */
export const roomIdSchema = v.pipe(
  textUpTo(4 * limits.roomIdLength),
  v.transform((roomId) => cleanLine(roomId).normalize("NFC")),
  maxCharacters(limits.roomIdLength),
  v.check(isVisible),
);

/** A person's display name: one line, not blank. */
export const displayNameSchema = v.pipe(
  textUpTo(4 * limits.nameLength),
  v.transform(cleanLine),
  maxCharacters(limits.nameLength),
  v.check(isVisible),
);

function isVisible(text: string): boolean {
  return !isBlank(text);
}
