import { sourceIdSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { z } from "./schema.ts";
import { cleanLine } from "./text.ts";

/** What a person can share in a call. */
export const sourceKindSchema = z.enum(["camera", "microphone", "screen", "screen-sound"]);
export type SourceKind = z.infer<typeof sourceKindSchema>;

const side = z.int().check(z.gte(0), z.lte(limits.pictureSide));

/** The name of a window or a device, shown as the names of people are. A longer one is cut. */
const labelSchema = z.pipe(
  z.string().check(z.maxLength(4 * limits.sourceLabelLength)),
  z.transform((label) => [...cleanLine(label)].slice(0, limits.sourceLabelLength).join("").trim()),
);

/** One thing that a person shares, and the transceiver its track is on. */
export const mediaSourceSchema = z.object({
  id: sourceIdSchema,
  kind: sourceKindSchema,
  label: labelSchema,
  mid: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,16}$/)),
  /** Of a picture, in pixels and frames a second; 0 for a sound. */
  width: side,
  height: side,
  frameRate: z.int().check(z.gte(0), z.lte(limits.frameRate)),
  /** Muted: sends silence or a still picture. */
  muted: z.optional(z.literal(true)),
  /** The screen a sound belongs to. */
  screen: z.optional(sourceIdSchema),
});
export type MediaSource = z.infer<typeof mediaSourceSchema>;

/** All that a person shares: ids and mids differ, and there is one camera and one microphone at most. */
export const mediaSourcesSchema = z
  .array(mediaSourceSchema)
  .check(z.maxLength(limits.mediaSources), z.refine(areDistinct, { error: "not distinct" }));

/** How large a viewer shows a picture, in device pixels; 0 where it is not shown. A sound is 1 by 1 where it is played. */
export const viewSizeSchema = z.object({ id: sourceIdSchema, width: side, height: side });
export type ViewSize = z.infer<typeof viewSizeSchema>;

function areDistinct(sources: readonly MediaSource[]): boolean {
  const count = (kind: SourceKind) => sources.filter((source) => source.kind === kind).length;
  return (
    new Set(sources.map(({ id }) => id)).size === sources.length &&
    new Set(sources.map(({ mid }) => mid)).size === sources.length &&
    count("camera") <= 1 &&
    count("microphone") <= 1
  );
}
