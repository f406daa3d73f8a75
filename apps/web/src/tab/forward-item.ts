import type { SentMessage } from "@warren/core";
import type { ClientId, FileId } from "@warren/protocol";

/** An item that can be forwarded: a text, a file object, or one of this browser's files by its id. */
export type ForwardItem = (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly file: File }
  | { readonly type: "cache"; readonly fid: FileId; readonly fileName: string }
) & {
  /** Who wrote or offered it, and has it already. */
  readonly author?: ClientId;
};

/** A message as it is forwarded. */
export function forwardItemOf(message: SentMessage): ForwardItem {
  const { client: author } = message;
  if (message.type === "text") return { type: "text", text: message.data, author };
  const { fid, fileName } = message.file;
  return { type: "cache", fid, fileName, author };
}
