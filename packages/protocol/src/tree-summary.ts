import { limits } from "./limits.ts";
import { integer, v } from "./schema.ts";

/** A media type in lower case, or "" for anything else. */
export const mimeTypeSchema = v.pipe(
  v.string(),
  v.transform((type) =>
    type.length <= limits.mimeTypeLength && /^[a-z\d][\w.+-]*\/[a-z\d][\w.+-]*$/i.test(type)
      ? type.toLowerCase()
      : "",
  ),
);

/** Describes a tree before its manifest is available. */
export const treeSummarySchema = v.object({
  /** `folder`: one folder with its content. `files`: several files without a common folder. */
  kind: v.picklist(["folder", "files"]),
  files: integer(0, limits.treeEntries),
  /** The folders within it, including those that appear only in a path. */
  folders: integer(0, limits.treeSegments),
  /** Present if every file claims to be a picture. */
  pictures: v.optional(v.literal(true)),
  /** The size of the manifest, which the tree's bytes begin with. */
  manifestSize: integer(2, limits.manifestBytes),
  /** SHA-256 of the manifest. */
  manifestDigest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
export type TreeSummary = v.InferOutput<typeof treeSummarySchema>;
