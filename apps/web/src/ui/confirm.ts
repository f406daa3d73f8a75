import { componentOnDemand } from "./on-demand.tsx";
import { openDialog } from "./open-dialog.tsx";

const ConfirmDialog = componentOnDemand(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

/** Asks before something is lost: what it is, what follows, and the verb on the button. @returns whether to go on. */
export async function confirm(question: {
  readonly title: string;
  readonly line: string;
  readonly verb: string;
}): Promise<boolean> {
  return !(await openDialog(ConfirmDialog, question)).cancelled;
}
