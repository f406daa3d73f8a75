import { WarrenError } from "./errors.ts";
import { truncated } from "./graphemes.ts";
import { v } from "./schema.ts";
import { utf8Length } from "./text.ts";

/** The result of a decoder: the value, or the reason for its rejection. Decoders never throw on external input. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: WarrenError };

/**
 * Parses a JSON text frame against a schema.
 * @returns the value, or `frame-too-large`, `frame-not-json` or `frame-invalid`
 */
export function decodeFrame<T>(
  schema: v.GenericSchema<unknown, T>,
  frame: unknown,
  limitBytes: number,
): Decoded<T> {
  if (typeof frame !== "string") return refuse("frame-not-json");
  // The cheap check first: a text never has fewer UTF-8 bytes than UTF-16 units.
  const sizeBytes = frame.length > limitBytes ? frame.length : utf8Length(frame);
  if (sizeBytes > limitBytes) return refuse("frame-too-large", { sizeBytes, limitBytes });
  let json: unknown;
  try {
    json = JSON.parse(frame);
  } catch {
    return refuse("frame-not-json");
  }
  return decodeValue(schema, json);
}

/** Checks an already parsed value (a worker's message, a stored record) against a schema. @returns it, or `frame-invalid` */
export function decodeValue<T>(schema: v.GenericSchema<unknown, T>, value: unknown): Decoded<T> {
  const parsed = v.safeParse(schema, value);
  return parsed.success
    ? { ok: true, value: parsed.output }
    : refuse("frame-invalid", { issue: describeIssue(parsed.issues[0]) });
}

/**
 * Encodes a value as a JSON text frame. @throws WarrenError `frame-too-large` above the limit that the receiver
 * enforces
 */
export function encodeFrame(value: unknown, limitBytes: number): string {
  const frame = JSON.stringify(value);
  const sizeBytes = utf8Length(frame);
  if (sizeBytes > limitBytes) throw new WarrenError("frame-too-large", { sizeBytes, limitBytes });
  return frame;
}

function refuse(...reason: ConstructorParameters<typeof WarrenError>): Decoded<never> {
  return { ok: false, error: new WarrenError(...reason) };
}

/** Names the field and the kind of issue, never the value, which may be private or hostile. */
function describeIssue({ path, type }: v.BaseIssue<unknown>): string {
  const last = path?.at(-1);
  // An absent field is an issue of the object; an unusable name of a record has the origin `key` too.
  const kind = last?.origin === "key" && type === "object" ? "missing" : type;
  const place = path && truncated(path.map(({ key }) => String(key)).join("."), 80);
  return place ? `${place}: ${kind}` : kind;
}
