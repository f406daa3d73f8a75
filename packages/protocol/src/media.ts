import { truncated } from "./graphemes.ts";
import { sourceIdSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { integer, listUpTo, textUpTo, v } from "./schema.ts";
import { cleanLine } from "./text.ts";

/** What a person can share in a call. */
export const sourceKindSchema = v.picklist(["camera", "microphone", "screen", "screen-sound"]);
export type SourceKind = v.InferOutput<typeof sourceKindSchema>;

/** Whether a source is heard instead of seen. */
export function isSound(kind: SourceKind): kind is "microphone" | "screen-sound" {
  return kind === "microphone" || kind === "screen-sound";
}

const side = integer(0, limits.pictureSide);

/** The name of a window or a device, shown as the names of people are. A longer one is cut. */
const labelSchema = v.pipe(
  textUpTo(4 * limits.sourceLabelLength),
  v.transform((label) => {
    const line = cleanLine(label);
    return truncated(line, [...line].slice(0, limits.sourceLabelLength).join("").length).trim();
  }),
);

/** A source that a person shares, and the transceiver of its track. */
export const mediaSourceSchema = v.object({
  id: sourceIdSchema,
  kind: sourceKindSchema,
  label: labelSchema,
  mid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,16}$/)),
  /** The size of a picture in pixels; 0 for a sound. */
  width: side,
  height: side,
  /** Muted: sends silence or a still picture. */
  muted: v.optional(v.literal(true)),
  /** The screen a sound belongs to. */
  screen: v.optional(sourceIdSchema),
});
export type MediaSource = v.InferOutput<typeof mediaSourceSchema>;

/** All sources of a person: ids and mids are unique, and there is at most one camera and one microphone. */
export const mediaSourcesSchema = v.pipe(
  listUpTo(mediaSourceSchema, limits.mediaSources),
  v.check((sources) => areDistinct(sources)),
);

/** The size at which a viewer shows a picture, in device pixels; 0 if it does not. A played sound is 1 by 1. */
export const viewSizeSchema = v.object({ id: sourceIdSchema, width: side, height: side });
export type ViewSize = v.InferOutput<typeof viewSizeSchema>;

function areDistinct(sources: readonly MediaSource[]): boolean {
  const count = (kind: SourceKind) => sources.filter((source) => source.kind === kind).length;
  return (
    new Set(sources.map(({ id }) => id)).size === sources.length &&
    new Set(sources.map(({ mid }) => mid)).size === sources.length &&
    count("camera") <= 1 &&
    count("microphone") <= 1
  );
}
