import { bytesToHex } from "@noble/hashes/utils.js";
import {
  type FileDescription,
  limits,
  mimeTypeSchema,
  packPermissions,
  type TreeSummary,
  v,
  WarrenError,
} from "@warren/protocol";
import { areAllPictures, decodeManifest, encodeManifest, type TreeFile } from "@warren/protocol/tree";
import { digestOf } from "../digests/digests.ts";

/** A tree as one file that can be sent like any other. */
export interface ComposedTree {
  /** The manifest followed by the files: references to the picked files, none of them read. */
  readonly stream: File;
  readonly summary: TreeSummary;
  /** The manifest, if it is small enough to be sent with the offer. */
  readonly manifest: string | null;
  /** Those of its files, if they are known. */
  readonly permissions: FileDescription["permissions"];
}

/** Composes a tree for sending. @throws WarrenError `tree-too-large`. */
export async function composeTree({ kind, name, files, emptyFolders }: PickedTree): Promise<ComposedTree> {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const fileEntries = inOrder.map(({ path, file }) => ({ kind: "file", path, ...describe(file) }) as const);
  const folderEntries = emptyFolders.map((path) => ({ kind: "folder", path }) as const);
  const entries = [...fileEntries, ...folderEntries];
  const manifest = encodeManifest(entries);
  const bytes = new TextEncoder().encode(manifest);
  if (entries.length > limits.treeEntries || bytes.byteLength > limits.manifestBytes)
    throw new WarrenError("tree-too-large", { limit: limits.treeEntries });
  const lastModified = fileEntries.reduce((latest, entry) => Math.max(latest, entry.lastModified), 0);
  const stream = new File([bytes, ...inOrder.map(({ file }) => file)], name, { lastModified });
  const known = {
    kind,
    files: files.length,
    manifestSize: bytes.byteLength,
    manifestDigest: bytesToHex(await digestOf(bytes)),
    ...(areAllPictures(entries) && ({ pictures: true } as const)),
  };
  const decoded = decodeManifest(manifest, { fileSize: stream.size, tree: known });
  // A path that no file system allows, or too many folders; the other side would refuse it.
  if (!decoded.ok) throw decoded.error;
  return {
    stream,
    summary: { ...known, folders: decoded.value.folders },
    manifest: bytes.byteLength <= limits.offeredManifestBytes ? manifest : null,
    permissions: packPermissions(inOrder.map(({ permissions }) => permissions)),
  };
}

function describe(file: File): Pick<TreeFile, "size" | "lastModified" | "mimeType"> {
  return {
    size: file.size,
    lastModified: Math.max(0, Math.trunc(file.lastModified)),
    mimeType: v.parse(mimeTypeSchema, file.type),
  };
}

/** A file picked with others. */
export interface PickedFile {
  /** Its path within the selection, with `/` between names. */
  readonly path: string;
  readonly file: File;
  /** Its permission bits, where the platform tells them. */
  readonly permissions?: number;
}

/** A folder with its contents, or several files, picked to be sent as one. */
export interface PickedTree {
  readonly kind: "folder" | "files";
  /** The folder's name, or that of the first file. */
  readonly name: string;
  readonly files: readonly PickedFile[];
  /** The paths of empty folders. */
  readonly emptyFolders: readonly string[];
}
