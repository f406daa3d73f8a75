import { componentOnDemand } from "../ui/on-demand.tsx";
import { openDialog } from "../ui/open-dialog.tsx";
import { useWarren } from "../ui/warren-context.tsx";
import { mediaChoiceOf } from "./media-choice.ts";

const MediaDialog = componentOnDemand(async () => (await import("./media-dialog.tsx")).MediaDialog);

/** Lets the user test and select devices, and stores the choice; resolves once the dialog has closed. */
export function useChooseMedia(): () => Promise<void> {
  const { settings } = useWarren();
  return async () => {
    const result = await openDialog(MediaDialog, { choice: mediaChoiceOf(settings.get()) });
    if (!result.cancelled) settings.update(result.value);
  };
}
