import type { StoredFile } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { useStore, useWarren } from "../wiring/warren-context.ts";

/** Whether a file is complete in this browser. */
export function isStored(file: Pick<StoredFile, "state"> | null | undefined): boolean {
  return file?.state === "complete";
}

/** As {@link isStored}; re-renders when it changes. @param fid null for no file. */
export function useIsStored(fid: FileId | null): boolean {
  return useStore(useWarren().files.store, (library) => fid !== null && isStored(library.get(fid)));
}
