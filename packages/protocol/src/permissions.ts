import { limits } from "./limits.ts";
import { integer, listUpTo, v } from "./schema.ts";

/** The nine bits of read, write and execute: never setuid, setgid or sticky, which a sender could harm with. */
export const permissionBits = 0o777;

/**
 * The permissions of a file, or of the files of a tree in the order of its manifest, as runs `[bits, files]`. Only
 * terminals know them. Invalid ones are dropped and the file is kept.
 */
export const permissionsSchema = v.fallback(
  v.optional(
    listUpTo(v.tuple([integer(0, permissionBits), integer(1, limits.treeEntries)]), limits.permissionRuns),
  ),
  undefined,
);
type Permissions = NonNullable<v.InferOutput<typeof permissionsSchema>>;

/** Packs the bits of files in order; undefined if those of one are unknown, or they take more runs than an offer holds. */
export function packPermissions(bits: readonly (number | undefined)[]): Permissions | undefined {
  const runs: Permissions = [];
  for (const each of bits) {
    if (each === undefined) return undefined;
    const last = runs.at(-1);
    if (last?.[0] === each) last[1]++;
    else runs.push([each, 1]);
  }
  return runs.length === 0 || runs.length > limits.permissionRuns ? undefined : runs;
}

/** The bits of each file in order, as far as they are given. */
export function* unpackPermissions(runs: Permissions = []): Generator<number, undefined> {
  for (const [bits, files] of runs) for (let file = 0; file < files; file++) yield bits;
}
