import { ConfirmDialog } from "./confirm-dialog.tsx";
import { openDialog } from "./open-dialog.tsx";

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
