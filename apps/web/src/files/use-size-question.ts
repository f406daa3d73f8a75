import type { OfferOptions } from "@warren/core";
import { useCallback } from "react";
import { useFormat } from "../i18n/format.ts";
import { componentOnDemand } from "../ui/on-demand.tsx";
import { openDialog } from "../ui/open-dialog.tsx";
import { useWarren } from "../ui/warren-context.tsx";

const OverLimitDialog = componentOnDemand(
  async () => (await import("./over-limit-dialog.tsx")).OverLimitDialog,
);

const gib = 1024 ** 3;

/** The proposed new `maxFileSize` for a file: its size rounded up to whole GiB. */
export function raisedLimit(sizeBytes: number): number {
  return Math.ceil(sizeBytes / gib) * gib;
}

/**
 * Sends or fetches files; if one exceeds the option `maxFileSize`, the user is asked first and may raise the
 * limit. If the user cancels, nothing is done.
 */
export type SizeQuestion = (
  way: "send" | "fetch",
  sizesBytes: readonly number[],
  go: (options?: OfferOptions) => Promise<void> | void,
) => Promise<void>;

/** Returns {@link SizeQuestion}. */
export function useSizeQuestion(): SizeQuestion {
  const { settings } = useWarren();
  const format = useFormat();
  return useCallback(
    async (way, sizesBytes, go) => {
      const limitBytes = settings.get().maxFileSize;
      const largest = Math.max(0, ...sizesBytes);
      if (largest <= limitBytes) return go();
      const raised = raisedLimit(largest);
      const answer = await openDialog(OverLimitDialog, {
        way,
        size: format.size(largest),
        limit: format.size(limitBytes),
        raised: format.size(raised),
      });
      if (answer.cancelled) return;
      if (answer.value === "anyway") return go({ overLimit: true });
      settings.set("maxFileSize", raised);
      return go();
    },
    [settings, format],
  );
}
