import type { DescribedTree, TreeEntry } from "@warren/protocol/tree";

/**
 * Reads the entries of a manifest. Rejects with `tree-invalid` when it does not match the description, and with
 * `tree-too-large` when it has more segments than any tree may.
 */
export type ReadManifest = (manifest: string, description: DescribedTree) => Promise<readonly TreeEntry[]>;
