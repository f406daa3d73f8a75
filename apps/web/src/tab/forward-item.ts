import type { FileId } from "@warren/protocol";

/**
 * An item that can be forwarded: a text, a file object, or one of this browser's files by its id.
 */
export type ForwardItem =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly file: File }
  | { readonly type: "cache"; readonly fid: FileId; readonly fileName: string };
