import { isBlank } from "@warren/protocol";
import type { Partner } from "../../people/use-partner.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useWindowEvent } from "../../ui/hooks/use-window-event.ts";
import { isDialogOpen } from "../../wiring/dialogs/open-dialog.ts";
import { isTyping } from "../../wiring/shortcuts/shortcuts.ts";
import { useOption } from "../../wiring/warren-context.ts";
import { contentOf, goesToInbox, pasteOf } from "./paste.ts";
import { useTakePaste } from "./use-take-paste.ts";

/**
 * Handles pastes while no field has focus. Files are attached to the draft. Text is for the others' clipboard; with
 * clipboard sharing off it goes into the draft.
 */
export function usePagePaste(partner: Partner, onText: (text: string) => void): void {
  const enableClipboard = useOption("enableClipboard");
  const { drafts } = useTab();
  const takePaste = useTakePaste(partner.id);
  useWindowEvent("paste", (event) => {
    const { clipboardData } = event;
    if (isTyping(event) || isDialogOpen() || clipboardData === null) return;
    event.preventDefault();
    const paste = pasteOf(contentOf(clipboardData));
    takePaste(paste);
    if (isBlank(paste.text)) return;
    if (!enableClipboard || !goesToInbox(paste, partner)) drafts.appendText(partner.id, paste.text);
    else onText(paste.text);
  });
}
