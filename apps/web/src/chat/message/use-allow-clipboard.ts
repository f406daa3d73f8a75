import { type Options, permissionEffect } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";

type Sender = Parameters<typeof permissionEffect>[0] & {
  readonly contact: { readonly clipboardAllowed: boolean } | null | undefined;
};

/** Whether somebody whose texts are not copied unasked may be allowed that. */
export function canAllowClipboard(sender: Sender, options: Pick<Options, "trust">): boolean {
  return sender.contact?.clipboardAllowed !== true && permissionEffect(sender, options) === "allowed";
}

/** Allows somebody to write to my clipboard from now on, beginning with this text. */
export function useAllowClipboard(): (from: ClientId, text: string) => Promise<void> {
  const { chat } = useWarren();
  const copyText = useCopyText();
  return async (from, text) => {
    await withErrorToast(() => chat.permit(from, { clipboardAllowed: true }));
    await copyText(text);
  };
}
