import { limits } from "./limits.ts";
import { z } from "./schema.ts";

/** A media type in lower case, or "" for anything else. */
export const mimeTypeSchema = z.pipe(
  z.string(),
  z.transform((type) =>
    type.length <= limits.mimeTypeLength && /^[a-z\d][\w.+-]*\/[a-z\d][\w.+-]*$/i.test(type)
      ? type.toLowerCase()
      : "",
  ),
);

/** Describes a tree before its manifest is available. */
export const treeSummarySchema = z.object({
  /** `folder`: one folder with its content. `files`: several files without a common folder. */
  kind: z.enum(["folder", "files"]),
  files: z.int().check(z.gte(0), z.lte(limits.treeEntries)),
  /** The folders within it, including those that appear only in a path. */
  folders: z.int().check(z.gte(0), z.lte(limits.treeEntries * limits.treeDepth)),
  /** Present if every file claims to be a picture. */
  pictures: z.optional(z.literal(true)),
  /** The size of the manifest, which the tree's bytes begin with. */
  manifestSize: z.int().check(z.gte(2), z.lte(limits.manifestBytes)),
  /** SHA-256 of the manifest. */
  manifestDigest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type TreeSummary = z.infer<typeof treeSummarySchema>;
