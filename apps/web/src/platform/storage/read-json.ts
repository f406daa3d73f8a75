import { v } from "@warren/protocol";

/** A stored text as JSON of a schema; null if there is none, or another version or program wrote it. */
export function readJson<Schema extends v.GenericSchema>(
  text: string | null,
  schema: Schema,
): v.InferOutput<Schema> | null {
  if (text === null) return null;
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}
