import { toWarrenError } from "@warren/protocol";
import { errorText } from "../i18n/i18n.ts";
import { toast } from "./toast.ts";

/**
 * Runs a user's action; on failure, a toast explains why.
 * @param title names what failed
 * @returns whether it succeeded
 */
export async function withErrorToast(action: () => unknown, title?: string): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (thrown) {
    const reason = errorText(toWarrenError(thrown).describe());
    if (title === undefined) toast.error(reason);
    else toast.error(title, { description: reason });
    return false;
  }
}
