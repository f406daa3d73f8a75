import type { ConversationId } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { toast } from "../ui/toast.tsx";
import { attach } from "./drafts.ts";
import { isNothing, type Paste } from "./paste.ts";

/** Long enough to read the toast and reach its button. */
const offerMs = 12_000;

/**
 * Takes all of a paste except its text: attaches the files to the draft, offers the pictures that were left out, and
 * says when there was nothing to paste.
 */
export function useTakePaste(conversationId: ConversationId): (paste: Paste) => void {
  const t = useT();
  return (paste) => {
    const { items, pictures } = paste;
    if (items.files.length + items.folders.length > 0) attach(conversationId, items);
    if (pictures.length > 0) {
      toast.info(t("paste.picturesLeftOut", { count: pictures.length }), {
        durationMs: offerMs,
        action: {
          label: t("paste.attach"),
          onClick: () => attach(conversationId, { files: pictures, folders: [] }),
        },
      });
    }
    if (isNothing(paste)) toast.info(t("paste.nothing"));
  };
}
