import { limits } from "./limits.ts";
import { z } from "./schema.ts";

/** A media type in lower case; "" for what is none. */
export const mimeTypeSchema = z.pipe(
  z.string(),
  z.transform((type) =>
    type.length <= limits.mimeTypeLength && /^[a-z\d][\w.+-]*\/[a-z\d][\w.+-]*$/i.test(type)
      ? type.toLowerCase()
      : "",
  ),
);

/** What is said of a tree before its manifest is at hand. */
export const treeSummarySchema = z.object({
  /** `folder`: one folder with all that is in it; `files`: many files that have no folder in common. */
  kind: z.enum(["folder", "files"]),
  files: z.int().check(z.gte(0), z.lte(limits.treeEntries)),
  /** Folders within it, those that only stand in a path included. */
  folders: z.int().check(z.gte(0), z.lte(limits.treeEntries * limits.treeDepth)),
  /** Whether each of its files claims to be a picture. */
  pictures: z.optional(z.literal(true)),
  /** The bytes of the manifest, with which the tree's bytes begin. */
  manifestSize: z.int().check(z.gte(2), z.lte(limits.manifestBytes)),
  /** SHA-256 of the manifest. */
  manifestDigest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type TreeSummary = z.infer<typeof treeSummarySchema>;
