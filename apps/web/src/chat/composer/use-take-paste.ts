import type { ConversationId } from "@warren/core";
import type { RoomTag } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import type { IncomingItems } from "../../platform/files/incoming-items.ts";
import { useTab } from "../../tab/tab-context.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { isNothing, type Paste } from "./paste.ts";

/** Long enough to read the toast and reach its button. */
const offerMs = 12_000;

/**
 * Takes all of a paste except its text: attaches the files to the draft, offers the pictures that were left out, and
 * says when there was nothing to paste. `room` is the one it was pasted in: that room's draft gets it.
 */
export function useTakePaste(conversationId: ConversationId): (paste: Paste, room?: RoomTag) => void {
  const t = useT();
  const { chat } = useWarren();
  const { drafts } = useTab();
  return (paste, room = chat.store.getState().room) => {
    const { items, pictures } = paste;
    const attachThere = (taken: IncomingItems) => drafts.attach(drafts.inRoom(room, conversationId), taken);
    if (items.files.length + items.folders.length > 0) attachThere(items);
    if (pictures.length > 0) {
      toast.info(t("paste.picturesLeftOut", { count: pictures.length }), {
        durationMs: offerMs,
        action: {
          label: t("paste.attach"),
          onClick: () => attachThere({ files: pictures, folders: [] }),
        },
      });
    }
    if (isNothing(paste)) toast.info(t("paste.nothing"));
  };
}
