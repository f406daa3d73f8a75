import { createHash } from "node:crypto";
import type { FileMessage, TransferState } from "@warren/core";
import { encodeManifest } from "@warren/protocol/tree";
import { clientIdOf, fakeFile } from "./fake-records.ts";

const mara = clientIdOf(1);

/** Loose files that Mara sent in one drop, all with the same bytes. */
export function fakeBatch(
  names: readonly string[],
  content: Uint8Array<ArrayBuffer>,
  { at, state }: { readonly at: number; readonly state: TransferState },
): { readonly message: FileMessage; readonly stream: File } {
  const files = names.map(
    (path) => ({ kind: "file", path, size: content.length, lastModified: 0, mimeType: "" }) as const,
  );
  const manifest = encodeManifest(files);
  const manifestBytes = new TextEncoder().encode(manifest).byteLength;
  const tree = {
    kind: "files",
    files: names.length,
    folders: 0,
    manifestSize: manifestBytes,
    manifestDigest: createHash("sha256").update(manifest).digest("hex"),
  } as const;
  const fileSize = manifestBytes + names.length * content.length;
  const file = { fileName: names[0] ?? "", fileSize, mimeType: "", tree };
  const message = fakeFile(mara, mara, file, state, at);
  return { message, stream: new File([manifest, ...names.map(() => content)], file.fileName) };
}
