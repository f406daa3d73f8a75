import { toWarrenError } from "@warren/protocol";
import { useCallback } from "react";
import { errorText } from "../i18n/i18n.ts";
import { toast } from "./toast.tsx";

/** Runs a user's action; on failure, a toast explains why. `title` names what failed. */
export type Run = (action: () => unknown, title?: string) => Promise<boolean>;

/** Returns {@link Run}; its promise is false when the action failed. */
export function useRun(): Run {
  return useCallback(async (action, title) => {
    try {
      await action();
      return true;
    } catch (thrown) {
      const reason = errorText(toWarrenError(thrown).describe());
      if (title === undefined) toast.error(reason);
      else toast.error(title, { description: reason });
      return false;
    }
  }, []);
}
