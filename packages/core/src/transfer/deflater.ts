import type { Bytes } from "../ports/file-storage.ts";
import { deflate } from "./deflate.ts";

/** Who deflates the chunks of files. */
export interface Deflater {
  /** How many chunks it deflates at once. */
  readonly threads: number;
  /** Raw deflate of some bytes, which are left as they are. */
  deflate(bytes: Bytes): Promise<Bytes>;
}

/** Deflates in the thread that asks. */
export const ownThreadDeflater: Deflater = { threads: 1, deflate };
