import { lstat } from "node:fs/promises";
import { nullIfMissing } from "./disk-error.ts";

/** Whether something has a path, also a link that leads nowhere. Rejects with the error of the file system if it cannot tell. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullIfMissing)) !== null;
}
