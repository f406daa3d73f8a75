import { componentOnDemand } from "../ui/on-demand.tsx";
import { openDialog } from "../ui/open-dialog.tsx";
import { useWarren } from "../ui/warren-context.tsx";
import { mediaChoiceOf } from "./media-choice.ts";

const MediaDialog = componentOnDemand(async () => (await import("./media-dialog.tsx")).MediaDialog);

/** Lets the person try and choose devices, and keeps what they chose; resolves once the dialog has closed. */
export function useChooseMedia(): () => Promise<void> {
  const { settings } = useWarren();
  return async () => {
    const result = await openDialog(MediaDialog, { choice: mediaChoiceOf(settings.get()) });
    if (!result.cancelled) settings.update(result.value);
  };
}
