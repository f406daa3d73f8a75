import { componentOnDemand } from "./on-demand.tsx";
import { openDialog } from "./open-dialog.tsx";

const ConfirmDialog = componentOnDemand(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

/**
 * Asks before a destructive action: its object, its consequence, and the verb on the button.
 * @returns whether the user confirmed.
 */
export async function confirm(question: {
  readonly title: string;
  readonly line: string;
  readonly verb: string;
}): Promise<boolean> {
  return !(await openDialog(ConfirmDialog, question)).cancelled;
}
